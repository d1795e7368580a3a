// An MCP server of our own for tests of calls: it counts them. It leaves those of its tool `wait` unanswered, and closes the
// connection after those of `hang_up`.

import type { IncomingMessage, ServerResponse } from "node:http";

import { Arrivals, listen, textOf } from "./listening.ts";

export interface CallServer {
  readonly url: string;
  /** The calls of tools so far, as JSON text. */
  readonly calls: readonly string[];
  /** Waits until there have been so many calls; fails where they do not come. */
  called(count: number): Promise<void>;
  stop(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly cursor?: string };
}

/** A tool of `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** How many tools a page of the list has. */
const PAGE = 100;

const TOOLS: readonly ListedTool[] = ["wait", "answer", "measure", "hang_up"].map((name) => ({
  name,
  inputSchema: { type: "object" },
}));

/** What the tools answer; the others do not. */
const RESULTS: Readonly<Record<string, unknown>> = {
  answer: { content: [{ type: "text", text: "done" }] },
  measure: { content: [{ type: "text", text: "<b>Warm</b>" }], structuredContent: { celsius: 21.5 } },
};

function result({ method, params }: Message, tools: readonly ListedTool[]): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "calls", version: "1" },
      };
    case "tools/list": {
      const from = Number(params?.cursor ?? 0);
      const to = from + PAGE;
      return { tools: tools.slice(from, to), ...(to < tools.length && { nextCursor: String(to) }) };
    }
    case "tools/call":
      return RESULTS[params?.name ?? ""];
    default:
      return {};
  }
}

/** Starts it at a free port of loopback, with these tools in its list. */
export async function startCallServer(tools: readonly ListedTool[] = TOOLS): Promise<CallServer> {
  const calls = new Arrivals<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const text = await textOf(request);
    const message = JSON.parse(text) as Message;
    if (message.method === "tools/call") calls.add(text);
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.params?.name === "hang_up") return void request.socket.destroy();
    const answered = result(message, tools);
    if (answered === undefined) return;
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answered }));
  };
  const { port, stop } = await listen(answer);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls: calls.all,
    called: (count) => calls.reached(count),
    stop,
  };
}
