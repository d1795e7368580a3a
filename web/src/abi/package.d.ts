// `@toolgate/manager`: the manager API of `window.__TAURITAVERN__` on Toolgate. How to use it: docs/embedding.md.

import type { McpTestCallOutcome, TauriTavernMcpApi } from "./tauritavern-mcp.js";

export type * from "./tauritavern-mcp.js";

/** `connecting` until the host is reached for the first time; `lost` while it cannot be reached after a loss. */
export type ConnectionState = "connecting" | "open" | "lost";

export interface TransportHandlers {
  /** A message of the host. */
  onMessage(text: string): void;
  /** Every change of the state. On leaving `open`, what was sent and not answered is lost. */
  onState(state: ConnectionState): void;
  /** The host's answer where it is known to which message, so that one that names no id finds its request, too. */
  onAnswer(request: string, answer: string): void;
  /** No answer will come to this one message, whatever became of it. */
  onFailure(request: string, reason: unknown): void;
}

/** What carries messages, strings each way. Those of `overWebSocket` and `overFunction` will do in most places. */
export interface Transport {
  /** The largest message it takes, in bytes of UTF-8. */
  readonly mostBytes?: number;
  /** Begins, and keeps the connection up from then on. */
  start(handlers: TransportHandlers): void;
  /** Hands one message over; `false` where there is no connection and nothing was sent. */
  send(text: string): boolean;
  /** Tries again now instead of waiting for the next turn. */
  retryNow(): void;
}

export interface Options {
  transport: Transport;
  /** Told of every change of the connection, for a word to the person. */
  onState?: (state: ConnectionState) => void;
}

/** A tool as a model may see it, by everything but its alias; `LegacyRoot` of `@toolgate/core/schema` takes these. */
export interface LegacyToolDescriptor {
  /** Who is called: `mcp/<registration-uuid>:<native-name>`. */
  toolId: string;
  /** The server's display name, for the alias. */
  serverName: string;
  /** With the person's descriptions; empty where there is none. */
  description: string;
  /** JSON text, with the person's descriptions. */
  inputSchemaJson: string;
}

/** Tools for the application's own chats (manager contract §8). Extensions do not get it. */
export interface LegacyApi {
  /** What a generation may freeze now, without asking any server, and why something is left out. */
  listTools(): Promise<{
    tools: LegacyToolDescriptor[];
    diagnostics: { code: string; message: string; nativeName?: string; registrationId?: string }[];
  }>;
  /**
   * Calls a tool at most once. Resolves to one of the three outcomes, also where the connection to Toolgate breaks or the
   * signal is aborted. Rejects where Toolgate refuses the request itself, and then made no call.
   */
  call(
    call: { toolId: string; argumentsJson: string },
    options?: { signal?: AbortSignal },
  ): Promise<McpTestCallOutcome>;
}

export interface Connected {
  mcp: TauriTavernMcpApi;
  /** For the application's own chat; never put at `window`. */
  legacy: LegacyApi;
  /** Resolves once the host is reached for the first time. */
  ready: Promise<void>;
}

/** The API over a transport, without touching `window`. */
export function createMcpApi(options: Options): Connected;

/** The API at `window.__TAURITAVERN__.api.mcp`, beside other parts of `api` that are there. */
export function installMcpApi(options: Options): Connected;

/** To a `toolgate serve` that names this page's origin with `--allow-origin`; `address` is `http://127.0.0.1:7640`. */
export function overWebSocket(options: { address: string; token: string }): Transport;

/**
 * Through a function that hands one message, of at most 8 MiB, to the host's bridge and answers its answer, such as a
 * WebView's IPC. `listen` is given what takes the host's events. Where the IPC is one-way, `carry` answers nothing, and
 * `listen`'s function takes the answers, too.
 */
export function overFunction(
  carry: (message: string) => Promise<string> | void,
  listen?: (onMessage: (message: string) => void) => void,
): Transport;
