// What the HTTP servers of the tests share: a port of loopback, the whole text of a request, waiting for what comes in.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** How long `Arrivals` waits, in milliseconds. */
const PATIENCE_MS = 30_000;

/** A server that listens on loopback. */
export interface Listening {
  readonly port: number;
  /** Closes every connection, open ones too. */
  stop(): Promise<void>;
}

/** Listens on a free port of loopback, or on the one that is given. */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  port = 0,
): Promise<Listening> {
  const server = createServer((request, response) => void answer(request, response)).listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    port: address.port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The text of a request's body. */
export async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}

/** What came in so far, in order; a test waits for the next, or until there were so many. */
export class Arrivals<T> {
  readonly all: T[] = [];
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  add(one: T): void {
    this.all.push(one);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Waits until there were so many; fails where they do not come. */
  async reached(count: number): Promise<void> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    while (this.all.length < count) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        late.addEventListener("abort", () => reject(new Error(`${this.all.length} of ${count} came`)));
      });
    }
  }

  /** The first that nobody took yet; fails where none comes. */
  async next(): Promise<T> {
    this.#taken += 1;
    await this.reached(this.#taken);
    return this.all[this.#taken - 1] as T;
  }
}
