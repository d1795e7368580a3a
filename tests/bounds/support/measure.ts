// One odd server measured: what Toolgate holds before, at the most, and when the server is removed again.

import { setTimeout as pause } from "node:timers/promises";

import { startOdd, type Odd } from "./kit.ts";
import { forgetPeak, held, peakMemory, type Held } from "./process.ts";
import type { Measured } from "./program.ts";

/** How long anything may take to be gone after its server is, in milliseconds. */
const GONE_MS = 20_000;
const SAMPLE_MS = 15;

/** What one server came to. */
export interface Result {
  readonly odd: Odd;
  readonly milliseconds: number;
  /** The most beyond what was held before; memory in KiB. */
  readonly most: Held;
  /** What is left beyond what was held before, memory aside. */
  readonly left: Omit<Held, "memory" | "threads">;
}

/** How a server is met. */
export interface Meeting {
  /** After so many milliseconds the server is paused, whatever goes on; without it everything is waited for. */
  readonly pauseAfter?: number;
}

/** Registers the server, discovers and calls it, and removes it. */
export async function measure(toolgate: Measured, odd: Odd, { pauseAfter }: Meeting = {}): Promise<Result> {
  const server = await startOdd(odd);
  try {
    const { id } = await toolgate.ask<{ id: string }>("servers.create", {
      displayName: odd.name,
      config: server.config,
    });
    const before = await held(toolgate.pid);
    await forgetPeak(toolgate.pid);
    const began = performance.now();
    const watch = watching(toolgate.pid);
    await meet(toolgate, odd, id, pauseAfter);
    await toolgate.ask("servers.remove", { id });
    const milliseconds = performance.now() - began;
    const most = await watch.end();
    const memory = (await peakMemory(toolgate.pid)) - before.memory;
    return {
      odd,
      milliseconds,
      most: {
        memory: Math.max(0, memory),
        handles: most.handles - before.handles,
        sockets: most.sockets - before.sockets,
        threads: most.threads - before.threads,
        processes: most.processes - before.processes,
      },
      left: await whatIsLeft(toolgate.pid, before),
    };
  } finally {
    await server.stop();
  }
}

async function meet(toolgate: Measured, { shownBy }: Odd, id: string, pauseAfter?: number): Promise<void> {
  await toolgate.ask("servers.setState", { id, state: "active" });
  // What comes of it is the scoreboard's business; that it ends, and leaves nothing, is ours.
  const nothing = (): undefined => undefined;
  const met = toolgate.ask("servers.discover", { id }).then(async () => {
    if (shownBy !== "call") return;
    await toolgate.ask("tools.setPermission", { id, nativeName: "first", permission: "allow" });
    await toolgate.ask("tools.testCall", { id, nativeName: "first", argumentsJson: '{"a":1}' });
  }, nothing);
  const over = met.catch(nothing);
  if (pauseAfter === undefined) return over;
  const stop = new AbortController();
  await Promise.race([over, pause(pauseAfter, undefined, { signal: stop.signal }).catch(nothing)]);
  stop.abort();
  await toolgate.ask("servers.setState", { id, state: "paused" });
  await over;
}

/** Looks again and again at what is held; answers the most of each. */
export function watching(pid: number): { end(): Promise<Held> } {
  let go = true;
  const most = (async () => {
    let most = await held(pid);
    while (go) {
      const now = await held(pid);
      most = {
        memory: Math.max(most.memory, now.memory),
        handles: Math.max(most.handles, now.handles),
        sockets: Math.max(most.sockets, now.sockets),
        threads: Math.max(most.threads, now.threads),
        processes: Math.max(most.processes, now.processes),
      };
      await pause(SAMPLE_MS);
    }
    return most;
  })();
  return {
    end: () => {
      go = false;
      return most;
    },
  };
}

/** Waits until nothing is left; answers what is, where it does not go. */
export async function whatIsLeft(pid: number, before: Held): Promise<Result["left"]> {
  const late = performance.now() + GONE_MS;
  for (;;) {
    const now = await held(pid);
    const left = {
      handles: Math.max(0, now.handles - before.handles),
      sockets: Math.max(0, now.sockets - before.sockets),
      processes: Math.max(0, now.processes - before.processes),
    };
    // There is no event for a handle that another process closes.
    if (Object.values(left).every((count) => count === 0) || performance.now() > late) return left;
    await pause(SAMPLE_MS);
  }
}

/** Waits until there are no more threads than before: those for files and names end by themselves when they are idle. */
export async function threadsGone(pid: number, before: Held): Promise<number> {
  const late = performance.now() + 2 * GONE_MS;
  for (;;) {
    const more = (await held(pid)).threads - before.threads;
    if (more <= 0 || performance.now() > late) return Math.max(0, more);
    await pause(100);
  }
}
