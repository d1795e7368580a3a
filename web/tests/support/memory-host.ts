// A host in memory: records each request, and answers as the test says.

import type { MethodName, Params, Result } from "../../src/bridge/methods.ts";
import type { ConnectionState, Transport, TransportHandlers } from "../../src/bridge/transport.ts";
import type { Code, ServerSummary } from "../../src/generated/types.ts";

export interface Sent {
  readonly id: number;
  readonly method: MethodName;
  readonly params: unknown;
}

/** Refuses the request, as an answer of the test. */
export class Refused {
  constructor(
    readonly code: Code,
    readonly path?: string,
    readonly message: string = `Refused with ${code}.`,
  ) {}
}

type Answers = { [M in MethodName]?: (params: Params<M>) => Result<M> | Refused };

export class MemoryHost implements Transport {
  readonly sent: Sent[] = [];
  readonly answers: Answers = {};
  private state: ConnectionState = "connecting";
  private handlers: TransportHandlers | undefined;
  private readonly watchers: (() => void)[] = [];

  /** `mostBytes` where it takes no larger message. */
  constructor(readonly mostBytes: number = Number.MAX_SAFE_INTEGER) {}

  start(handlers: TransportHandlers): void {
    this.handlers = handlers;
    handlers.onState("connecting");
  }

  send(text: string): boolean {
    if (this.state !== "open") return false;
    const request = JSON.parse(text) as Sent;
    this.sent.push(request);
    const answer = this.answers[request.method] as ((params: unknown) => unknown) | undefined;
    // A request for which the test has no answer stays open.
    if (answer) queueMicrotask(() => this.answer(request, answer(request.params)));
    for (const watcher of this.watchers.splice(0)) watcher();
    return true;
  }

  retryNow(): void {}

  become(state: ConnectionState): void {
    this.state = state;
    this.handlers?.onState(state);
  }

  answer(request: Sent, answer: unknown): void {
    const { id } = request;
    const message =
      answer instanceof Refused
        ? { jsonrpc: "2.0", id, error: { code: -32000, message: answer.message, data: answer } }
        : { jsonrpc: "2.0", id, result: answer ?? null };
    this.handlers?.onMessage(JSON.stringify(message));
  }

  /** The requests of a method so far. */
  of(method: MethodName): Sent[] {
    return this.sent.filter((request) => request.method === method);
  }

  /** Waits for a method's first request. */
  async request(method: MethodName): Promise<Sent> {
    for (;;) {
      const [request] = this.of(method);
      if (request) return request;
      await new Promise<void>((resolve) => this.watchers.push(resolve));
    }
  }
}

export const ID = "3f1d3a2c-0c8e-4a55-9b0a-6f0f1f6d2a11";

/** An HTTP server as `servers.list` shows it with its secrets. */
export function summary(changes: Partial<ServerSummary> = {}): ServerSummary {
  return {
    id: ID,
    displayName: "Docs",
    transport: "http",
    target: "https://docs.example",
    state: "paused",
    protocolVersion: "auto",
    toolPermissions: { echo: "ask" },
    toolDescriptionOverrides: {},
    toolCount: 3,
    config: { type: "http", url: "https://docs.example/mcp?k=1", headers: { "X-Key": "s" }, protocolVersion: "auto" },
    ...changes,
  };
}
