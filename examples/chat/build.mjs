// Bundles the page into `dist/`. Needs `pkg/` and `web/dist/manager/`, which `cargo xtask build` makes.

import { build } from "esbuild";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

await rm(join(here, "dist"), { recursive: true, force: true });
await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts", "src/style.css"],
  outdir: "dist",
  assetNames: "[name]",
  bundle: true,
  format: "esm",
  target: "es2023",
  loader: { ".wasm": "file" },
  logLevel: "warning",
});
await copyFile(join(here, "src/index.html"), join(here, "dist/index.html"));
