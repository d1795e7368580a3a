// An MCP server of our own for tests of calls: it counts them. It leaves those of its tool `wait` unanswered, and closes the
// connection after those of `hang_up`.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** How long `called` waits, in milliseconds. */
const PATIENCE_MS = 30_000;

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
  readonly params?: { readonly name?: string };
}

const TOOLS = ["wait", "answer", "measure", "hang_up"].map((name) => ({ name, inputSchema: { type: "object" } }));

/** What the tools answer; the others do not. */
const RESULTS: Readonly<Record<string, unknown>> = {
  answer: { content: [{ type: "text", text: "done" }] },
  measure: { content: [{ type: "text", text: "<b>Warm</b>" }], structuredContent: { celsius: 21.5 } },
};

function result({ method, params }: Message): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "calls", version: "1" },
      };
    case "tools/list":
      return { tools: TOOLS };
    case "tools/call":
      return RESULTS[params?.name ?? ""];
    default:
      return {};
  }
}

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}

/** Starts it at a free port of loopback. */
export async function startCallServer(): Promise<CallServer> {
  const calls: string[] = [];
  const waiting: (() => void)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const text = await body(request);
    const message = JSON.parse(text) as Message;
    if (message.method === "tools/call") {
      calls.push(text);
      for (const wake of waiting.splice(0)) wake();
    }
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.params?.name === "hang_up") return void request.socket.destroy();
    const answered = result(message);
    if (answered === undefined) return;
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answered }));
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    calls,
    called: async (count) => {
      const late = AbortSignal.timeout(PATIENCE_MS);
      while (calls.length < count) {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          late.addEventListener("abort", () => reject(new Error(`${calls.length} of ${count} calls came`)));
        });
      }
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
