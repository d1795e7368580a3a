// A web site that is not Toolgate's: serves the package `@toolgate/manager` and empty pages, at an origin of its own.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { resolve } from "node:path";

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
  const server = createServer(({ url }, response) => {
    const isPackage = url === "/manager.js";
    response.writeHead(200, { "Content-Type": isPackage ? "text/javascript" : "text/html" });
    response.end(isPackage ? manager : PAGE);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    origin: `http://localhost:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
