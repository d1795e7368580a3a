// The real servers: started on loopback, each with what its own SDK says of itself.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";

import { startEverything } from "../../browser/support/everything.ts";
import { start } from "../../browser/support/process.ts";

/** An integer that a double cannot hold: 2^53 + 1. */
export const NUMBER = "9007199254740993";

/** What becomes of an integer in a server's own language. */
export type Numbers = "exact" | "doubles";

export interface RealServer {
  /** The SDK and its version. */
  readonly sdk: string;
  readonly url: string;
  /** The protocol versions it speaks after `initialize`. */
  readonly initialize: readonly string[];
  /** The protocol versions it speaks without, as `server/discover` says them. */
  readonly discover: readonly string[];
  /** Its tools, in its order. */
  readonly tools: readonly string[];
  readonly numbers: Numbers;
  /** A call that hands over the number, and the text that answers it if the number is `shown` like this. */
  readonly echo: { readonly tool: string; readonly arguments: string; readonly answer: (shown: string) => string };
  stop(): Promise<unknown>;
}

/** Every server by a short name, and how it is started. */
export const SERVERS: Readonly<Record<string, () => Promise<RealServer>>> = {
  "server-everything": everything,
  "TypeScript SDK 2": () => own(process.execPath, ["--import", "tsx", servers("typescript-2.ts")], "doubles"),
  "Python SDK 1": () => own(named("PYTHON_MCP_1"), [servers("mcp_1.py")], "exact"),
  "Python SDK 2": () => own(named("PYTHON_MCP_2"), [servers("mcp_2.py")], "exact"),
  FastMCP: () => own(named("PYTHON_MCP_2"), [servers("fastmcp_4.py")], "exact"),
  "Rust SDK": () => own(named("RUST_SDK_SERVER"), [], "exact"),
};

/** One of the small servers in this folder; they all have the same two tools. */
async function own(command: string, args: readonly string[], numbers: Numbers): Promise<RealServer> {
  const program = await start(command, args, /^\{"url".*\}$/);
  const said = JSON.parse(program.ready[0]) as Pick<RealServer, "sdk" | "url" | "initialize" | "discover">;
  return {
    ...said,
    tools: ["echo_number", "shout"],
    numbers,
    echo: { tool: "echo_number", arguments: `{"n":${NUMBER}}`, answer: (shown) => shown },
    stop: program.stop,
  };
}

/** The reference server, on version 1 of the TypeScript SDK. Its tools are those that its own SDK's client sees. */
async function everything(): Promise<RealServer> {
  const program = await startEverything();
  const client = new Client({ name: "toolgate-tests", version: "0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(program.url)));
  const { tools } = await client.listTools();
  await client.close();
  const [server, sdk] = await Promise.all([
    version(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"), "."),
    version(import.meta.resolve("@modelcontextprotocol/sdk/types.js"), "../.."),
  ]);
  return {
    sdk: `server-everything ${server} on @modelcontextprotocol/sdk ${sdk} (TypeScript)`,
    url: program.url,
    initialize: SUPPORTED_PROTOCOL_VERSIONS,
    discover: [],
    tools: tools.map((tool) => tool.name),
    numbers: "doubles",
    echo: {
      tool: "get-sum",
      arguments: `{"a":${NUMBER},"b":0}`,
      answer: (shown) => `The sum of ${shown} and 0 is ${shown}.`,
    },
    stop: program.stop,
  };
}

async function version(module: string, up: string): Promise<string> {
  const manifest = join(fileURLToPath(new URL(".", module)), up, "package.json");
  return (JSON.parse(await readFile(manifest, "utf8")) as { version: string }).version;
}

function servers(file: string): string {
  return join(import.meta.dirname, "../servers", file);
}

/** A program that `cargo xtask test servers` has made. */
function named(variable: string): string {
  const program = process.env[variable];
  if (program === undefined) throw new Error(`${variable} is not set; run this test by: cargo xtask test servers`);
  return program;
}
