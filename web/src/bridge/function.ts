// The bridge's transport over a function: it hands one message to the host, as the IPC of a WebView does. Where the IPC
// has answers the function answers the host's answer; where it is one-way, answers come as events do. There is no
// connection that could be lost, only single messages.

import { MOST_BYTES, type Transport, type TransportHandlers } from "./transport";

export type Carry = (message: string) => Promise<string> | void;
export type Listen = (onMessage: (message: string) => void) => void;

export class FunctionTransport implements Transport {
  /** The host's refusal of a larger one names no request, so over a one-way IPC it would find none. */
  readonly mostBytes = MOST_BYTES;
  private handlers: TransportHandlers | undefined;

  constructor(
    private readonly carry: Carry,
    private readonly listen?: Listen,
  ) {}

  start(handlers: TransportHandlers): void {
    this.handlers = handlers;
    this.listen?.((message) => handlers.onMessage(message));
    handlers.onState("open");
  }

  send(text: string): boolean {
    if (!this.handlers) return false;
    void exchange(this.carry, text, this.handlers);
    return true;
  }

  retryNow(): void {
    // Each message tries by itself.
  }
}

async function exchange(carry: Carry, text: string, handlers: TransportHandlers): Promise<void> {
  let answer: string | void;
  try {
    answer = await carry(text);
  } catch (reason) {
    handlers.onFailure(text, reason);
    return;
  }
  if (answer !== undefined) handlers.onAnswer(text, answer);
}
