// An MCP server that answers nothing until it is let: everything then goes on to the server behind it.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface SlowServer {
  readonly url: string;
  /** How many requests came so far. */
  readonly asked: number;
  /** Answers what waits, and from now on at once. */
  let(): void;
  stop(): Promise<void>;
}

/** Starts it in front of another server's address. */
export async function startSlowServer(behind: string): Promise<SlowServer> {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  let asked = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked += 1;
    if (request.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
    await opened;
    const answered = await fetch(behind, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const type = answered.headers.get("content-type");
    response.writeHead(answered.status, type === null ? {} : { "Content-Type": type }).end(await answered.text());
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    get asked() {
      return asked;
    },
    let: open,
    stop: async () => {
      open();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
