// The tools of each server as read last, the reading of them, and the decisions about them.

import { signal, type Signal } from "@preact/signals";
import { problemOf, type Problem } from "../bridge/problem";
import type { DescriptionOverride, DiscoveryResult, Permission } from "../generated/types";
import { bridge } from "./bridge";
import { settle } from "./notices";
import { aboutDecisions, aboutTools, loaded, loadServers, serverById, watchFailuresOver } from "./servers";

/** What the page has of one server's tools. */
export interface CatalogState {
  /** Being read: from what the host has saved (`discover`), or from the server (`refresh`). */
  reading?: "discover" | "refresh";
  result?: DiscoveryResult;
  /** Why the last reading failed; a result from before stays. */
  problem?: Problem;
}

const states = new Map<string, Signal<CatalogState>>();

export function catalogOf(id: string): Signal<CatalogState> {
  let state = states.get(id);
  if (!state) {
    state = signal<CatalogState>({});
    states.set(id, state);
  }
  return state;
}

// A call that was answered, or another page's refresh: the tools from before are no older than that.
watchFailuresOver((id) => {
  const state = states.get(id);
  if (!state?.peek().problem) return;
  const { problem: _over, ...rest } = state.peek();
  state.value = rest;
});

/** Reads the tools: `discover` takes what the host has and asks the server only where there is nothing; `refresh` always asks. */
export async function readTools(id: string, how: "discover" | "refresh"): Promise<CatalogState> {
  const state = catalogOf(id);
  const { result } = state.peek();
  state.value = { reading: how, ...(result && { result }) };
  try {
    state.value = { result: await bridge.request(`servers.${how}`, { id }) };
    settle(aboutTools(id));
  } catch (error) {
    state.value = { ...(result && { result }), problem: problemOf(error) };
  }
  await loadServers();
  return state.value;
}

const REREAD_PAUSE_MS = 250;
const rereads = new Map<string, ReturnType<typeof setTimeout>>();
const writes = new Map<string, number>();

/**
 * Reads again, soon and quietly, what is shown of a server: after a change at the host. Many changes make one reading,
 * and none is made while a decision is on its way, as its answer would show the state before it.
 */
export function rereadSoon(id: string): void {
  clearTimeout(rereads.get(id));
  rereads.set(
    id,
    setTimeout(() => {
      rereads.delete(id);
      void reread(id);
    }, REREAD_PAUSE_MS),
  );
}

async function reread(id: string): Promise<void> {
  if (!catalogOf(id).peek().result) return;
  // The list from before the change may still count tools that a new connection has made away with.
  await loadServers();
  if (loaded.peek().problem) return;
  const state = catalogOf(id);
  const before = state.peek();
  const server = serverById(id);
  if (before.reading || !before.result || writes.has(id) || server?.state !== "active") return;
  if (server.toolCount === undefined) {
    // The host no longer has a catalog; asking for one would connect to the server, which is for a person to start.
    state.value = {};
    return;
  }
  try {
    const result = await bridge.request("servers.discover", { id });
    if (state.peek() === before) state.value = { ...before, result };
  } catch {
    // What is shown stays; an explicit reading says what is wrong.
  }
}

/** Reads all shown catalogs again, after a reconnection. */
export function rereadAll(): void {
  for (const id of states.keys()) rereadSoon(id);
}

export function forgetTools(id: string): void {
  states.delete(id);
}

/** Decisions by native name. A map, as a server may call a tool `constructor`. */
export type Decisions = ReadonlyMap<string, Permission>;

/** The decisions in force about these tools, also about those that are gone: for an undo. */
export function decisionsNow(id: string, names: Iterable<string>): Decisions {
  const wanted = new Set(names);
  const { tools = [], staleTools = [] } = catalogOf(id).peek().result ?? {};
  return new Map(
    [...tools, ...staleTools]
      .filter((tool) => wanted.has(tool.nativeName))
      .map((tool) => [tool.nativeName, tool.permission]),
  );
}

/** Decides about tools of one server in one write. Shown at once; put back where the host refuses. */
export async function decide(id: string, changes: Decisions): Promise<void> {
  const before = decisionsNow(id, changes.keys());
  showDecisions(id, changes);
  try {
    await writing(id, () => {
      const [only, ...more] = changes;
      return only && more.length === 0
        ? bridge.request("tools.setPermission", { id, nativeName: only[0], permission: only[1] })
        : bridge.request("tools.setPermissions", { id, changes: Object.fromEntries(changes) });
    });
  } catch (error) {
    showDecisions(id, before);
    throw error;
  }
}

/** Says how models are told about a tool; null leaves it to the server. Shown once it is saved. */
export async function describe(id: string, nativeName: string, override: DescriptionOverride | null): Promise<void> {
  await writing(id, () => bridge.request("tools.setDescriptionOverride", { id, nativeName, override }));
  const state = catalogOf(id);
  const now = state.peek();
  if (!now.result) return;
  const tools = now.result.tools.map((tool) => {
    if (tool.nativeName !== nativeName) return tool;
    const { override: _before, ...rest } = tool;
    return override ? { ...rest, override } : rest;
  });
  state.value = { ...now, result: { ...now.result, tools } };
}

/** Runs a write; what the host has is read again after the last one that is under way. */
async function writing(id: string, write: () => Promise<unknown>): Promise<void> {
  writes.set(id, (writes.get(id) ?? 0) + 1);
  try {
    await write();
    settle(aboutDecisions(id));
  } finally {
    const left = (writes.get(id) ?? 1) - 1;
    if (left === 0) writes.delete(id);
    else writes.set(id, left);
    rereadSoon(id);
  }
}

function showDecisions(id: string, changes: Decisions): void {
  const state = catalogOf(id);
  const now = state.peek();
  if (!now.result) return;
  const tools = now.result.tools.map((tool) => {
    const permission = changes.get(tool.nativeName);
    return permission === undefined || permission === tool.permission ? tool : { ...tool, permission };
  });
  state.value = { ...now, result: { ...now.result, tools } };
}
