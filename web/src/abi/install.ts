// The manager API as a value, and its place in `window.__TAURITAVERN__` (manager contract §1).

import { serversApi } from "./servers";
import type { Bridge } from "./requests";
import type { TauriTavernHost, TauriTavernMcpApi } from "./tauritavern-mcp";
import { toolsApi } from "./tools";

/** What a page may hold at its place already: another host's object, with other parts of the API. */
interface Place {
  __TAURITAVERN__?: { ready?: Promise<unknown>; api?: Partial<TauriTavernHost["api"]> };
}

export function mcpApi(bridge: Bridge): TauriTavernMcpApi {
  return { servers: serversApi(bridge), tools: toolsApi(bridge) };
}

/** Puts the API in its place, beside what is there. Throws where there is an `api.mcp` already. */
export function place(mcp: TauriTavernMcpApi, ready: Promise<void>): void {
  const page = globalThis as Place;
  const host = (page.__TAURITAVERN__ ??= {});
  if (host.api?.mcp !== undefined) throw new Error("window.__TAURITAVERN__.api.mcp is there already.");
  host.ready = host.ready === undefined ? ready : Promise.all([host.ready, ready]);
  host.api = Object.assign(host.api ?? {}, { mcp });
}
