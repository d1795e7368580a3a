// The core's cases as WebAssembly, in Node and in a browser: the same inputs, made by the same generator inside the module.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser } from "playwright-core";

import { places } from "./places.ts";

/** Milliseconds, by case and size. */
export type CaseTimes = Record<string, Record<string, number>>;

/** What the module made of `bench/src/wasm.rs` offers. */
interface BenchModule {
  default(options: { module_or_path: unknown }): Promise<unknown>;
  cases(): string;
  Prepared: { of(name: string, size: number): { run(): number; free(): void } | undefined };
}

/** For so long a case is done again and again, but at least three times. */
const BUDGET_MS = 400;

/** Runs every case; runs in the browser, too, so it uses nothing from outside of it. */
function measure(module: BenchModule, budgetMs: number): CaseTimes {
  const all: CaseTimes = {};
  for (const line of module.cases().trim().split("\n")) {
    const [name = "", size = ""] = line.split(" ");
    const work = module.Prepared.of(name, Number(size));
    if (work === undefined) throw new Error(`${line} refused its input`);
    // Enough runs at a time that a coarse clock can tell them apart.
    let batch = 1;
    const runs: number[] = [];
    let spent = 0;
    while (spent < budgetMs || runs.length < 3) {
      const start = performance.now();
      for (let run = 0; run < batch; run++) if (work.run() === 0) throw new Error(`${line} made nothing`);
      const ms = performance.now() - start;
      spent += ms;
      if (ms < 5 && batch < 10_000) batch *= 2;
      else runs.push(ms / batch);
    }
    runs.sort((a, b) => a - b);
    (all[name] ??= {})[size] = Number((runs[Math.floor((runs.length - 1) / 2)] ?? 0).toFixed(4));
    work.free();
  }
  return all;
}

export async function wasmInNode(): Promise<CaseTimes> {
  const folder = places().WASM;
  const module = (await import(pathToFileURL(join(folder, "toolgate_bench.js")).href)) as BenchModule;
  await module.default({ module_or_path: await readFile(join(folder, "toolgate_bench_bg.wasm")) });
  return measure(module, BUDGET_MS);
}

export async function wasmInBrowser(browser: Browser): Promise<CaseTimes> {
  const folder = places().WASM;
  const files: Record<string, readonly [string, string]> = {
    "/": ["text/html", ""],
    "/bench.js": ["text/javascript", "toolgate_bench.js"],
    "/bench.wasm": ["application/wasm", "toolgate_bench_bg.wasm"],
  };
  const server = createServer((request, response) => {
    const [type, file] = files[request.url ?? ""] ?? [];
    if (type === undefined) return void response.writeHead(404).end();
    const body = file ? readFile(join(folder, file)) : Promise.resolve("<!doctype html>");
    void body.then((bytes) => response.writeHead(200, { "content-type": type }).end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // Its own name in the page: what compiles this file gives functions names by a helper that is not there.
    const script = `(async () => {
      const __name = (target) => target;
      const module = await import("/bench.js");
      await module.default({ module_or_path: "/bench.wasm" });
      return (${measure.toString()})(module, ${BUDGET_MS});
    })()`;
    return await page.evaluate<CaseTimes>(script);
  } finally {
    await context.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
