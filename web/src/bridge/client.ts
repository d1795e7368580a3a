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
  /** Resolves once there is a connection for the first time. */
  readonly opened: Promise<void>;
  private open: () => void = () => undefined;
  private readonly waiting = new Map<number, Waiting>();
  // Not from 1: a WebView's IPC lives on when the page is loaded anew, and may bring it an answer to what the page before
  // it asked.
  private nextId = Math.floor(Math.random() * 2 ** 40);
  private state: ConnectionState = "connecting";

  constructor(private readonly transport: Transport) {
    this.opened = new Promise((resolve) => (this.open = resolve));
  }

  start(listeners: BridgeListeners): void {
    this.transport.start({
      onMessage: (text) => this.receive(text, listeners),
      onState: (state) => {
        this.state = state;
        if (state === "open") {
          this.sendWaiting();
          this.open();
        } else if (state === "lost") this.rejectAll();
        listeners.onState(state);
      },
      onAnswer: (request, answer) => {
        this.receive(answer, listeners);
        this.reject(request, () => new BridgeError(problemOfStray(answer)));
      },
      onFailure: (request, cause) => this.reject(request, () => new BridgeError({ kind: "lost" }, { cause })),
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
      const { mostBytes } = this.transport;
      if (mostBytes !== undefined && isLarger(text, mostBytes)) {
        reject(new BridgeError({ kind: "refused", refusal: tooLarge(method, mostBytes) }));
        return;
      }
      // First of all: an IPC may answer, or fail, before it returns.
      const entry = { method, text, sent: false, resolve: resolve as (result: unknown) => void, reject };
      this.waiting.set(id, entry);
      entry.sent = this.transport.send(text);
      if (entry.sent || this.state === "connecting") return;
      this.waiting.delete(id);
      reject(new BridgeError({ kind: "offline" }));
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

  /** Ends the request with this message, if it still waits. */
  private reject(text: string, error: () => BridgeError): void {
    for (const [id, entry] of this.waiting) {
      if (entry.text !== text) continue;
      this.waiting.delete(id);
      entry.reject(error());
    }
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

/** Whether a text has more bytes than there may be. No character of a string has more than three. */
function isLarger(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false;
  return text.length > bytes || new TextEncoder().encode(text).length > bytes;
}

function tooLarge(method: MethodName, bytes: number): Refusal {
  return {
    code: "mcp.bridge_message_too_large",
    message: `The request ${method} is larger than the ${bytes} bytes that a message to Toolgate may have.`,
  };
}

/** Of an answer whose id is not its request's: the host could not read the request, or is no bridge. */
function problemOfStray(answer: string): Problem {
  const message = parseObject(answer);
  if (message && "error" in message) return problemIn(message["error"]);
  return { kind: "broken", message: "The host's answer is no answer to the request." };
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
