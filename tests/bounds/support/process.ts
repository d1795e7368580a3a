// What Linux says of a running program: its memory, handles, threads and the processes it has started.

import { readdir, readFile, readlink, writeFile } from "node:fs/promises";

/** What a program holds at a moment. */
export interface Held {
  /** Resident memory in KiB. */
  readonly memory: number;
  /** Open handles: files, pipes, sockets. */
  readonly handles: number;
  /** Those of them that are sockets. */
  readonly sockets: number;
  readonly threads: number;
  /** Processes it has started, and what they have started in turn. */
  readonly processes: number;
}

/** Reads everything of a process. */
export async function held(pid: number): Promise<Held> {
  const [status, handles, processes] = await Promise.all([statusOf(pid), handlesOf(pid), descendants(pid)]);
  return {
    memory: number(status, "VmRSS"),
    handles: handles.length,
    sockets: handles.filter((target) => target.startsWith("socket:")).length,
    threads: number(status, "Threads"),
    processes: processes.length,
  };
}

/** The most memory since `forgetPeak`, in KiB. */
export const peakMemory = async (pid: number): Promise<number> => number(await statusOf(pid), "VmHWM");

/** Begins the count of the most memory anew. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, "5");

const statusOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/status`, "utf8");

function number(status: string, name: string): number {
  const found = status.match(new RegExp(`^${name}:\\s+(\\d+)`, "m"))?.[1];
  if (found === undefined) throw new Error(`/proc has no ${name}`);
  return Number(found);
}

async function handlesOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`);
  // One may be closed between the two.
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => undefined)));
  return targets.filter((target) => target !== undefined);
}

async function descendants(pid: number): Promise<number[]> {
  const all: number[] = [];
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  for (const task of tasks) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, "utf8").catch(() => "");
    for (const child of children
      .split(" ")
      .filter((text) => text !== "")
      .map(Number)) {
      all.push(child, ...(await descendants(child)));
    }
  }
  return all;
}
