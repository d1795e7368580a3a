// JSON-RPC 2.0 over a transport: requests with typed results, and the host's events. A request is sent at most once:
// what was sent when the connection broke is rejected as lost and never sent again.

import type { HostChanged, Refusal } from "../generated/types";
import type { MethodName, Params, Result } from "./methods";
import { BridgeError, type Problem } from "./problem";
import type { ConnectionState, Transport } from "./transport";

interface Waiting {
  method: MethodName;
  text: string;
  sent: boolean;
  resolve(result: unknown): void;
  reject(error: BridgeError): void;
}

export interface BridgeListeners {
  onState(state: ConnectionState): void;
  onChanged(change: HostChanged): void;
}

export class BridgeClient {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private state: ConnectionState = "connecting";

  constructor(private readonly transport: Transport) {}

  start(listeners: BridgeListeners): void {
    this.transport.start({
      onMessage: (text) => this.receive(text, listeners),
      onState: (state) => {
        this.state = state;
        if (state === "open") this.sendWaiting();
        else if (state === "lost") this.rejectAll();
        listeners.onState(state);
      },
    });
  }

  retryNow(): void {
    this.transport.retryNow();
  }

  /** One request. Before the first connection it waits for it; without a connection it is refused unsent. */
  request<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> {
    const id = this.nextId++;
    const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    return new Promise<Result<M>>((resolve, reject) => {
      const sent = this.transport.send(text);
      if (!sent && this.state !== "connecting") {
        reject(new BridgeError({ kind: "offline" }));
        return;
      }
      this.waiting.set(id, { method, text, sent, resolve: resolve as (result: unknown) => void, reject });
    });
  }

  private sendWaiting(): void {
    for (const entry of this.waiting.values()) {
      if (!entry.sent) entry.sent = this.transport.send(entry.text);
    }
  }

  private rejectAll(): void {
    const entries = [...this.waiting.values()];
    this.waiting.clear();
    for (const entry of entries) entry.reject(new BridgeError({ kind: entry.sent ? "lost" : "offline" }));
  }

  private receive(text: string, listeners: BridgeListeners): void {
    const message = parseObject(text);
    if (!message) return;
    if (message["method"] === "host.changed" && isObject(message["params"])) {
      listeners.onChanged(message["params"] as HostChanged);
      return;
    }
    const id = message["id"];
    const entry = typeof id === "number" ? this.waiting.get(id) : undefined;
    if (!entry) return;
    this.waiting.delete(id as number);
    if ("error" in message) entry.reject(new BridgeError(problemIn(message["error"])));
    else entry.resolve(message["result"]);
  }
}

function problemIn(error: unknown): Problem {
  if (isObject(error)) {
    const { data, message } = error;
    if (isObject(data) && typeof data["code"] === "string" && typeof data["message"] === "string") {
      return { kind: "refused", refusal: data as Refusal };
    }
    if (typeof message === "string") return { kind: "broken", message };
  }
  return { kind: "broken", message: "The host sent an error without a message." };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
