// A server on the official TypeScript SDK, version 2. It listens on a free port of loopback, and says on one line of
// JSON where, which SDK it is, and which protocol versions that SDK says it speaks by each of MCP's two ways to start.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  McpServer,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";

const file = new URL("../package.json", import.meta.resolve("@modelcontextprotocol/server"));
const manifest = JSON.parse(await readFile(file, "utf8")) as { version: string };

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "real-typescript-2", version: manifest.version });
  server.registerTool(
    "echo_number",
    { description: "Answers the number's digits.", inputSchema: z.object({ n: z.number() }) },
    ({ n }) => ({ content: [{ type: "text", text: String(n) }] }),
  );
  server.registerTool(
    "shout",
    { description: "Answers the text in upper case.", inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: "text", text: text.toUpperCase() }] }),
  );
  return server;
});

/** The SDK exports no list of the versions without `initialize`; asked for one that is none, it names those it has. */
async function versionsByDiscover(): Promise<unknown> {
  const version = "9999-12-31";
  const meta = { [PROTOCOL_VERSION_META_KEY]: version, [CLIENT_CAPABILITIES_META_KEY]: {} };
  const answer = await handler.fetch(
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": "server/discover",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: meta } }),
    }),
  );
  const { error } = (await answer.json()) as { error: { data: { supported: unknown } } };
  return error.data.supported;
}

const discover = await versionsByDiscover();
const handle = toNodeHandler(handler);
const http = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
await once(http, "listening");
const { port } = http.address() as AddressInfo;
const ready = {
  url: `http://127.0.0.1:${port}/mcp`,
  sdk: `@modelcontextprotocol/server ${manifest.version} (TypeScript)`,
  initialize: SUPPORTED_PROTOCOL_VERSIONS,
  discover,
};
console.log(JSON.stringify(ready));
