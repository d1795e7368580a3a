// The bridge's transport over a function: it hands one message to the host and answers the host's answer, as the IPC of a
// WebView does. There is no connection that could be lost, only single messages.

import type { Transport, TransportHandlers } from "./transport";

export type Carry = (message: string) => Promise<string>;
export type Listen = (onMessage: (message: string) => void) => void;

export class FunctionTransport implements Transport {
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
  let answer: string;
  try {
    answer = await carry(text);
  } catch (reason) {
    handlers.onFailure(text, reason);
    return;
  }
  handlers.onAnswer(text, answer);
}
