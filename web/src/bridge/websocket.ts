// The bridge's transport in a browser: one WebSocket to `/ws`, opened again after a loss with growing pauses.

import { MOST_BYTES, type Transport, type TransportHandlers } from "./transport";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

export class WebSocketTransport implements Transport {
  /** A larger one would cost the connection, and the answers to others with it. */
  readonly mostBytes = MOST_BYTES;
  private socket: WebSocket | undefined;
  private handlers: TransportHandlers | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pause = FIRST_PAUSE_MS;

  /** The secret that lets the page in is one of the subprotocols, asked for anew for each connection. */
  constructor(
    private readonly url: string,
    private readonly secret: () => string,
  ) {}

  start(handlers: TransportHandlers): void {
    this.handlers = handlers;
    handlers.onState("connecting");
    this.open();
    // A laptop that wakes up or a network that comes back should not wait for the timer.
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.retryNow();
    });
  }

  send(text: string): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(text);
    return true;
  }

  retryNow(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.pause = FIRST_PAUSE_MS;
    this.open();
  }

  private open(): void {
    this.timer = undefined;
    const socket = new WebSocket(this.url, ["toolgate", `toolgate.${this.secret()}`]);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE_MS;
      this.handlers?.onState("open");
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (typeof event.data === "string") this.handlers?.onMessage(event.data);
    };
    // An error is always followed by a close, so only the close is acted on.
    socket.onclose = () => {
      this.handlers?.onState("lost");
      this.timer = setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
    };
  }
}

/** The socket of the host at an address; in Toolgate's own page, of the one that it came from. */
export function hostSocketUrl(address: string = location.href): string {
  const url = new URL("/ws", address);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** What the host knows this page's session by, beside a cookie; its first page put it there. */
export const sessionKey = (): string | null => localStorage.getItem("toolgate.page");
