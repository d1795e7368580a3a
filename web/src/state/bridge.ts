// The page's one connection to its host, and what is known about the host.

import { signal } from "@preact/signals";
import { BridgeClient } from "../bridge/client";
import { pageTransport } from "../bridge/ipc";
import { sessionKey } from "../bridge/websocket";
import type { ConnectionState } from "../bridge/transport";
import type { HostChanged, HostInfo, TransportKind } from "../generated/types";
import { forgetOffline, say } from "./notices";
import { messages } from "../i18n";

export const bridge = new BridgeClient(pageTransport());
export const connection = signal<ConnectionState>("connecting");
/** The host is there, but does not know this page's session: it was started anew since. */
export const sessionEnded = signal(false);
export const hostInfo = signal<HostInfo | undefined>(undefined);

/** Whether the host can use a transport; everything is assumed possible until the host has said what is. */
export function hostSpeaks(transport: TransportKind): boolean {
  return hostInfo.value?.transports.includes(transport) ?? true;
}

/** Reads again what the host says of itself. */
export async function readHostInfo(): Promise<void> {
  try {
    hostInfo.value = await bridge.request("host.info", {});
  } catch {
    // Shown nowhere on its own; the list's own failure says what is wrong.
  }
}

export interface HostListeners {
  /** Called on each connection, the first included: whatever was read before may be out of date. */
  onConnected(): void;
  onChanged(change: HostChanged): void;
}

const watchers = new Set<(change: HostChanged | undefined) => void>();

/** Told of every change at the host; of a connection, after which anything may be different, by `undefined`. */
export function watchHost(watcher: (change: HostChanged | undefined) => void): void {
  watchers.add(watcher);
}

export function startBridge(listeners: HostListeners): void {
  let wasLost = false;
  bridge.start({
    onChanged: (change) => {
      listeners.onChanged(change);
      for (const watcher of watchers) watcher(change);
    },
    onState: (state) => {
      connection.value = state;
      if (state === "lost") {
        wasLost = true;
        void lookForSession();
      }
      if (state !== "open") return;
      sessionEnded.value = false;
      forgetOffline();
      if (wasLost) say(messages.value.connection.back);
      wasLost = false;
      void readHostInfo();
      listeners.onConnected();
      for (const watcher of watchers) watcher(undefined);
    },
  });
}

/** A browser tells a socket that was refused from a host that is not there by nothing; a plain request it does. */
async function lookForSession(): Promise<void> {
  try {
    const { status } = await fetch("/", { method: "HEAD", cache: "no-store" });
    // What the page knows its session by may have been cleared by itself.
    const known = status !== 401 && sessionKey() !== null;
    sessionEnded.value = !known && connection.value === "lost";
  } catch {
    sessionEnded.value = false;
  }
}
