// What the kernel says of a process and all that it started: which live, and which ports they listen at.

import { readdir, readFile, readlink } from "node:fs/promises";

/** How long something may take to end, in milliseconds. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 20;

/** The process and everything below it. */
export async function family(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => undefined);
    // The name of the program, in parentheses, may have spaces of its own.
    const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const found = [pid];
  for (const member of found) {
    for (const [child, parent] of parents) if (parent === member) found.push(child);
  }
  return found;
}

/** Those that run. One that has ended and is not yet taken note of by its parent does not. */
export async function running(pids: readonly number[]): Promise<number[]> {
  const states = await Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/stat`, "utf8").then(
        (stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[0],
        () => undefined,
      ),
    ),
  );
  return pids.filter((_, index) => states[index] !== undefined && states[index] !== "Z");
}

/** Waits until none of them runs; fails where one goes on. */
export async function ended(pids: readonly number[]): Promise<void> {
  const late = Date.now() + PATIENCE_MS;
  for (;;) {
    const left = await running(pids);
    if (left.length === 0) return;
    if (Date.now() > late) throw new Error(`still running: ${left.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** The TCP ports at which one of them listens. */
export async function listening(pids: readonly number[]): Promise<number[]> {
  const ports = new Map<string, number>();
  for (const table of ["tcp", "tcp6"]) {
    const text = await readFile(`/proc/net/${table}`, "utf8").catch(() => "");
    for (const line of text.split("\n").slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === "0A") ports.set(`socket:[${inode}]`, Number.parseInt(local?.split(":")[1] ?? "", 16));
    }
  }
  const found = new Set<number>();
  for (const pid of pids) {
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => "");
      const port = ports.get(target);
      if (port !== undefined) found.add(port);
    }
  }
  return [...found];
}
