// Start and memory: how soon Toolgate answers, what it takes of the machine, and how soon saved tools are there.

import { setTimeout as later } from "node:timers/promises";

import { newDataFolder } from "../../tests/browser/support/toolgate.ts";
import { addServer, residentMiB, startHost, type Host } from "./host.ts";
import { repeated, timed, times, type Times } from "./stats.ts";

const STARTS = 20;
const SERVERS = 50;
const TOOLS = 512;
/** After so long without a request nothing is under way any more. */
const IDLE_MS = 1000;

export interface Footprint {
  /** From the start of the program to the line with its address. */
  readonly start: Times;
  /** From the start of the program to its first answer. */
  readonly firstAnswer: Times;
  readonly idleMiB: number;
  /** With 50 servers of 512 tools, all of them just read from their servers. */
  readonly fullMiB: number;
  /** The same servers after a new start and one list of them. */
  readonly fullAfterStartMiB: number;
  /** The same, after every server's tools were asked for. */
  readonly fullAllReadMiB: number;
  /** The list of those servers, just after a start and then again. */
  readonly listFirst: Times;
  readonly list: Times;
  /** 512 tools of a server, from their file, just after a start. */
  readonly savedTools: Times;
  /** 512 tools of a server, from memory. */
  readonly knownTools: Times;
}

export async function footprint(server: string): Promise<Footprint> {
  const empty = await newDataFolder();
  const full = await newDataFolder();
  try {
    const starts = await startTimes(empty.path);
    const idle = await startHost(empty.path);
    await idle.call("host.info");
    await later(IDLE_MS);
    const idleMiB = await residentMiB(idle.pid);
    await idle.stop();

    const first = await startHost(full.path);
    const ids: string[] = [];
    for (let index = 0; index < SERVERS; index++) {
      const url = `${server}/${TOOLS}/server-${index}`;
      ids.push(await addServer(first, `server ${index}`, { type: "http", url }));
    }
    for (const id of ids) await first.call("servers.refresh", { id });
    await later(IDLE_MS);
    const fullMiB = await residentMiB(first.pid);
    await first.stop();
    return { ...starts, idleMiB, fullMiB, ...(await saved(full.path, ids)) };
  } finally {
    await empty.remove();
    await full.remove();
  }
}

async function startTimes(data: string): Promise<Pick<Footprint, "start" | "firstAnswer">> {
  const start: number[] = [];
  const firstAnswer: number[] = [];
  for (let run = -1; run < STARTS; run++) {
    const began = performance.now();
    const host = await startHost(data);
    const address = performance.now() - began;
    await host.call("host.info");
    const answer = performance.now() - began;
    await host.stop();
    // The first start writes the folder.
    if (run >= 0) {
      start.push(address);
      firstAnswer.push(answer);
    }
  }
  return { start: times(start), firstAnswer: times(firstAnswer) };
}

type Saved = Omit<Footprint, "start" | "firstAnswer" | "idleMiB" | "fullMiB">;

async function saved(data: string, ids: readonly string[]): Promise<Saved> {
  const listFirst: number[] = [];
  const savedTools: number[] = [];
  let host: Host | undefined;
  for (let run = 0; run < 10; run++) {
    host = await startHost(data);
    // The first request opens the connection.
    await host.call("host.info");
    savedTools.push((await timed(() => read(host, ids[run] ?? "")))[0]);
    await host.stop();
    host = await startHost(data);
    await host.call("host.info");
    listFirst.push((await timed(() => listed(host, ids.length)))[0]);
    if (run < 9) await host.stop();
  }
  try {
    await later(IDLE_MS);
    const fullAfterStartMiB = await residentMiB(host?.pid ?? 0);
    const list = await repeated(20, () => listed(host, ids.length));
    for (const id of ids) await read(host, id);
    await later(IDLE_MS);
    const fullAllReadMiB = await residentMiB(host?.pid ?? 0);
    const knownTools = await repeated(20, () => read(host, ids[0] ?? ""));
    return {
      listFirst: times(listFirst),
      list,
      savedTools: times(savedTools),
      knownTools,
      fullAfterStartMiB,
      fullAllReadMiB,
    };
  } finally {
    await host?.stop();
  }
}

async function read(host: Host | undefined, id: string): Promise<void> {
  const found = await host?.answer("servers.discover", { id });
  if (!found?.includes(`_${TOOLS - 1}"`)) throw new Error(`not all tools came: ${found?.slice(0, 200)}`);
}

async function listed(host: Host | undefined, count: number): Promise<void> {
  const found = await host?.call<{ servers: unknown[] }>("servers.list");
  if (found?.servers.length !== count) throw new Error(`${found?.servers.length} servers in place of ${count}`);
}
