// Builds the page into `dist/`: `index.html`, and everything it loads under hashed names in `dist/assets/`.
// Needs `pkg/core/` (made by `cargo xtask build`). Compression and embedding are the host's build's business;
// the brotli sizes printed here are for the budget: the first load, wasm included, is at most 200 KB. With a path as
// argument, the list of the first load's files, relative to `dist/`, is written there as JSON.
// The manager API for other pages becomes the npm package `@toolgate/manager` in `dist/manager/`.

import { build } from "esbuild";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

import { iconPath } from "./icon-path.mjs";

const BUDGET = 200 * 1024;
const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

/** Icons come from lucide as files; the page needs what they draw, as one path each. */
const icons = {
  name: "icons",
  setup(build) {
    build.onLoad({ filter: /lucide-static[\\/]icons[\\/].*\.svg$/ }, async ({ path }) => {
      return { contents: iconPath(await readFile(path, "utf8")), loader: "text" };
    });
  },
};

await rm(dist, { recursive: true, force: true });
const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.tsx", "src/icons/toolgate.svg"],
  outdir: "dist/assets",
  outbase: "src",
  publicPath: "/assets/",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2023",
  minify: true,
  // Modules are UTF-8 by definition, and escaped Chinese takes twice the bytes.
  charset: "utf8",
  metafile: true,
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".wasm": "file", ".svg": "copy" },
  plugins: [icons],
  logLevel: "warning",
});

await managerPackage();

const outputs = Object.entries(result.metafile.outputs).map(([path, output]) => ({
  file: relative("dist", path),
  ...output,
}));
const find = (what, test) => {
  const found = outputs.find(test);
  if (!found) throw new Error(`The build made no ${what}.`);
  return found;
};
const script = find("script", (output) => output.entryPoint === "src/main.tsx");
const style = find("style sheet", (output) => output.file.endsWith(".css"));
const wasm = find(
  "wasm",
  (output) => output.file.endsWith(".wasm") && Object.keys(output.inputs).some((input) => input.includes("pkg/core/")),
);
const icon = find("icon", (output) => basename(output.file).startsWith("toolgate-"));

const parts = { script, style, wasm, icon };
const template = await readFile(join(here, "index.html"), "utf8");
const page = template.replace(/\{\{(\w+)\}\}/g, (_, part) => `/${parts[part].file.replaceAll("\\", "/")}`);
await writeFile(join(dist, "index.html"), page);

// What the first load needs: the entry, what it imports statically, the style sheet, the wasm, the page itself.
const first = new Set(["index.html", style.file, wasm.file, icon.file]);
const follow = (output) => {
  if (first.has(output.file)) return;
  first.add(output.file);
  for (const { path, kind } of output.imports) {
    if (kind === "import-statement") follow(outputs.find((other) => other.file === relative("dist", path)));
  }
};
follow(script);

let total = 0;
for (const file of ["index.html", ...outputs.map((output) => output.file)]) {
  const bytes = await readFile(join(dist, file));
  const size = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;
  if (first.has(file)) total += size;
  console.log(`${String(size).padStart(8)} B brotli  ${first.has(file) ? "first load" : "on demand "}  ${file}`);
}
console.log(`${String(total).padStart(8)} B brotli  first load in all (budget ${BUDGET})`);
if (total > BUDGET) {
  console.error("The first load is over its budget.");
  process.exitCode = 1;
}

const [listPath] = process.argv.slice(2);
if (listPath !== undefined) await writeFile(resolve(listPath), JSON.stringify([...first]));

/** One module without dependencies, its declarations, and a manifest with the page's version. */
async function managerPackage() {
  const folder = join(dist, "manager");
  await build({
    absWorkingDir: here,
    entryPoints: ["src/abi/index.ts"],
    outfile: join(folder, "index.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  });
  await copyFile(join(here, "src/abi/package.d.ts"), join(folder, "index.d.ts"));
  await copyFile(join(here, "src/abi/tauritavern-mcp.d.ts"), join(folder, "tauritavern-mcp.d.ts"));
  const { version, license } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
  const manifest = {
    name: "@toolgate/manager",
    version,
    description: "The manager API window.__TAURITAVERN__.api.mcp on Toolgate",
    license,
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
