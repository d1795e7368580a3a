// The list of servers and bad files as the host gave it last, and what a person does to them.

import { computed, signal } from "@preact/signals";
import { problemOf, type Problem } from "../bridge/problem";
import type {
  EditableConfig,
  Imported,
  SaveConfigParams,
  ServerConfig,
  ServerList,
  ServerSummary,
} from "../generated/types";
import { messages } from "../i18n";
import { bridge } from "./bridge";
import { complain, say, settle } from "./notices";

/** What the page has of the list. A reload that fails keeps what was there and adds the problem. */
export interface Loaded {
  list?: ServerList;
  problem?: Problem;
}

export const loaded = signal<Loaded>({});
export const serverSearch = signal("");

export const servers = computed(() => loaded.value.list?.servers ?? []);
export const storageIssues = computed(() => loaded.value.list?.storageIssues ?? []);

export function serverById(id: string): ServerSummary | undefined {
  return servers.value.find((server) => server.id === id);
}

/** The servers that fit the search, in the host's order. */
export const shownServers = computed(() => {
  const query = serverSearch.value.trim().toLowerCase();
  if (query === "") return servers.value;
  return servers.value.filter((server) =>
    [server.displayName, server.target].some((text) => text.toLowerCase().includes(query)),
  );
});

let running: Promise<void> | undefined;
let again = false;

/** Reads the list again. Calls during a run are answered by one more run after it. */
export function loadServers(): Promise<void> {
  if (running) {
    again = true;
    return running;
  }
  running = run().finally(() => {
    running = undefined;
  });
  return running;
}

async function run(): Promise<void> {
  do {
    again = false;
    try {
      const list = await bridge.request("servers.list", {});
      forgetFailures(loaded.peek().list?.servers ?? [], list.servers);
      loaded.value = { list };
    } catch (error) {
      const { list } = loaded.peek();
      loaded.value = { ...(list && { list }), problem: problemOf(error) };
    }
  } while (again);
}

/** What a failed reading of a server's tools is about. */
export const aboutTools = (id: string): string => `tools ${id}`;
/** The same for a decision about them. */
export const aboutDecisions = (id: string): string => `decisions ${id}`;
/** The same for activating or pausing it. */
export const aboutState = (id: string): string => `state ${id}`;

const overWatchers = new Set<(id: string) => void>();

/** Told of a server that the host has no failure of any more. */
export function watchFailuresOver(watcher: (id: string) => void): void {
  overWatchers.add(watcher);
}

/** A failure that is over, by whatever page, is not shown any longer; nor is one of a server that is gone. */
function forgetFailures(before: readonly ServerSummary[], now: readonly ServerSummary[]): void {
  for (const { id, state, lastFailure } of before) {
    const server = now.find((other) => other.id === id);
    if (!server || (lastFailure && !server.lastFailure)) {
      settle(aboutTools(id));
      for (const watcher of overWatchers) watcher(id);
    }
    if (!server || server.state !== state) settle(aboutState(id));
    if (!server) settle(aboutDecisions(id));
  }
}

/** After a failure: reconnects at once where that is what is missing. */
export function retryLoad(): Promise<void> {
  const { list } = loaded.peek();
  loaded.value = { ...(list && { list }) };
  bridge.retryNow();
  return loadServers();
}

export async function createServer(displayName: string, config: ServerConfig): Promise<ServerSummary> {
  const server = await bridge.request("servers.create", { displayName, config });
  await loadServers();
  return server;
}

/** Creates every server that the text says, paused, or none. */
export async function importServers(text: string): Promise<Imported> {
  const imported = await bridge.request("servers.import", { text });
  await loadServers();
  return imported;
}

/**
 * Lets the host add what is recommended, which it does once for each data folder, paused. Asked once, at load; the host's
 * event then shows it.
 */
export async function offerRecommended(): Promise<void> {
  try {
    const { added } = await bridge.request("servers.offerRecommended", {});
    if (added) say(messages.value.servers.recommended(added.displayName));
  } catch (error) {
    const problem = problemOf(error);
    // Without a connection there is more to say than this, and it is said elsewhere. The next load asks again.
    if (problem.kind === "refused" || problem.kind === "broken") {
      complain(messages.value.servers.recommendationFailed, problem, "recommended");
    }
  }
}

export async function pauseServer(id: string): Promise<void> {
  await bridge.request("servers.setState", { id, state: "paused" });
  await loadServers();
}

export async function removeServer(id: string): Promise<void> {
  await bridge.request("servers.remove", { id });
  await loadServers();
}

export async function removeFile(fileName: string): Promise<void> {
  await bridge.request("storage.remove", { fileName });
  await loadServers();
}

/** Activates a server as it was shown: refused where its configuration is another one by now. */
export async function activateServer(id: string, revision: string): Promise<void> {
  await bridge.request("servers.setState", { id, state: "active", revision });
  await loadServers();
}

/** A server's configuration: masked for editing, or whole, secrets included, as a person has to see it to decide. */
export function readConfig(id: string, reveal: boolean): Promise<EditableConfig> {
  return bridge.request("servers.readConfig", { id, reveal });
}

/** Saves what was edited; refused where something else was saved since `revision` was read. */
export async function saveConfig(params: SaveConfigParams): Promise<void> {
  await bridge.request("servers.saveConfig", params);
  await loadServers();
}
