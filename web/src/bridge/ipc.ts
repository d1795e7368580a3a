// The IPC of an application's WebView, where the application has put one: an object at `window.__TOOLGATE_IPC__`, there
// before the page's scripts run. docs/embedding.md describes it; the page does without a socket then.

import { FunctionTransport } from "./function";
import type { Transport } from "./transport";
import { hostSocketUrl, sessionKey, WebSocketTransport } from "./websocket";

/** What an application puts at `window.__TOOLGATE_IPC__`. */
export interface HostIpc {
  /**
   * Hands one message to `Bridge::handle`. Either answers a promise of the host's answer, or nothing, and the answer comes
   * by `receive`. A throw or a rejection says that no answer will come.
   */
  post(message: string): Promise<string> | void;
  /** Set by the page: takes every message of the host that `post` did not answer, events among them. */
  receive?: (message: string) => void;
}

/** What carries this page's messages: the application's IPC where there is one, else a WebSocket to the page's own host. */
export function pageTransport(page: { __TOOLGATE_IPC__?: HostIpc } = globalThis as object): Transport {
  const ipc = page.__TOOLGATE_IPC__;
  if (ipc === undefined) return new WebSocketTransport(hostSocketUrl(), () => `page.${sessionKey()}`);
  return new FunctionTransport(
    (message) => ipc.post(message),
    (onMessage) => (ipc.receive = onMessage),
  );
}
