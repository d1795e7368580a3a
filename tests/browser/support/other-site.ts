// A web site that is not Toolgate's: serves the package `@toolgate/manager` and empty pages, at an origin of its own.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { listen } from "./listening.ts";

const PACKAGE = resolve(import.meta.dirname, "../../../web/dist/manager/index.js");
const PAGE = `<!doctype html><title>Another site</title>
<script type="importmap">{ "imports": { "@toolgate/manager": "/manager.js" } }</script>`;

export interface OtherSite {
  /** Its origin; by name, so that it is another site than Toolgate's, not only another port. */
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startOtherSite(): Promise<OtherSite> {
  const manager = await readFile(PACKAGE);
  const { port, stop } = await listen(({ url }, response) => {
    const isPackage = url === "/manager.js";
    response.writeHead(200, { "Content-Type": isPackage ? "text/javascript" : "text/html" });
    response.end(isPackage ? manager : PAGE);
  });
  return { origin: `http://localhost:${port}`, stop };
}
