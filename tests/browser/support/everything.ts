// The reference server of the MCP project, over Streamable HTTP on loopback.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { freePort, start, type Program } from "./process.ts";

export interface Everything extends Program {
  /** Its endpoint. */
  readonly url: string;
}

/** Starts `@modelcontextprotocol/server-everything`, on a free port where none is named. */
export async function startEverything(wanted?: number): Promise<Everything> {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
  const port = wanted ?? (await freePort());
  const program = await start(
    process.execPath,
    [join(dirname(manifest), "dist/index.js"), "streamableHttp"],
    /listening on port/,
    { PORT: String(port) },
  );
  return { ...program, url: `http://127.0.0.1:${port}/mcp` };
}
