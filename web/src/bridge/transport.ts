// The seam between the bridge's client and what carries its messages: strings there and strings back. A WebSocket in a
// browser (`websocket.ts`), a function in a WebView (`function.ts`).

/** What the host takes as one message, in bytes of UTF-8. */
export const MOST_BYTES = 8 * 1024 * 1024;

/** `connecting` from the start or after a loss until the first answer of the other side; `lost` while it cannot be reached. */
export type ConnectionState = "connecting" | "open" | "lost";

export interface TransportHandlers {
  onMessage(text: string): void;
  /** Every change of the state. On leaving `open`, what was sent and not answered is lost. */
  onState(state: ConnectionState): void;
  /** The host's answer where it is known to which message, so that one that names no id finds its request, too. */
  onAnswer(request: string, answer: string): void;
  /** No answer will come to this one message, whatever became of it. */
  onFailure(request: string, reason: unknown): void;
}

export interface Transport {
  /** The largest message it takes, in bytes of UTF-8; a larger one would end the connection. */
  readonly mostBytes?: number;
  /** Begins, and keeps the connection up from then on. */
  start(handlers: TransportHandlers): void;
  /** Hands one message over; `false` where there is no connection and nothing was sent. */
  send(text: string): boolean;
  /** Tries again now instead of waiting for the next turn. */
  retryNow(): void;
}
