// Everything that is measured by the clock but the native core: `main.ts FILE` writes it there as JSON.
// `cargo xtask bench` starts it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";

import { launch } from "../../tests/browser/support/chromium.ts";
import { bridge, calls, clients, commandLine } from "./clients.ts";
import { footprint } from "./footprint.ts";
import { page } from "./page.ts";
import { places } from "./places.ts";
import { timed } from "./stats.ts";
import { wasmInBrowser, wasmInNode } from "./wasm.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("name the file for the results");

/** Says on standard error what is measured. */
async function measured<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [ms, result] = await timed(work);
  console.error(`bench: ${name} (${(ms / 1000).toFixed(1)} s)`);
  return result;
}

const server = spawn(places().SERVER, [], { stdio: ["pipe", "pipe", "inherit"] });
const ended = once(server, "exit");
const [address] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
const browser = await launch();
try {
  const results = {
    wasmInNode: await measured("core as WebAssembly in Node", wasmInNode),
    wasmInChromium: await measured("core as WebAssembly in Chromium", () => wasmInBrowser(browser)),
    page: await measured("the page", () => page(browser, address)),
    footprint: await measured("start and memory", () => footprint(address)),
    calls: await measured("calls", () => calls(address)),
    bridge: await measured("requests of the bridge", bridge),
    commandLine: await measured("by the command line", () => commandLine(address)),
    clients: await measured("beside other clients", () => clients(address)),
  };
  await writeFile(
    file,
    `${JSON.stringify({ ...results, node: process.version, chromium: browser.version() }, null, 2)}\n`,
  );
} finally {
  await browser.close();
  server.stdin.end();
  await ended;
}
