// The numbers that docs/bounds.md states, in one place for the tests and the table.

import type { Result } from "./support/measure.ts";

/** The most memory that any one server of the kit may cost while it is met, in MiB. */
export const MOST_MIB = 64;
/** The most handles, threads and processes that one server may cost at once. */
export const MOST_HANDLES = 16;
export const MOST_THREADS = 16;
export const MOST_PROCESSES = 8;
/** The longest that a server may hold up its discovery and one call, in seconds: 30 and 60, and their connections' ends. */
export const MOST_SECONDS = 100;
/** Pages at once, and the most memory that each may cost, in KiB. */
export const PAGES = 100;
export const KIB_A_PAGE = 384;
/** Requests one after the other and at once, and the most memory that may be left of them all, in MiB. */
export const REQUESTS = 10_000;
export const MIB_AFTER_REQUESTS = 24;
/** Servers at once: as many as there may be. */
export const SERVERS = 50;
/** The most memory that discovering all of them at once may cost, in MiB. */
export const MIB_OF_SERVERS = 64;

/** What of this server is more than promised. */
export function problemsOf({ odd, milliseconds, most, left }: Result): string[] {
  const rows: [string, number, number][] = [
    ["MiB", most.memory / 1024, MOST_MIB],
    ["handles", most.handles, MOST_HANDLES],
    ["threads", most.threads, MOST_THREADS],
    ["processes", most.processes, MOST_PROCESSES],
    ["seconds", milliseconds / 1000, MOST_SECONDS],
    ["handles left", left.handles, 0],
    ["sockets left", left.sockets, 0],
    ["processes left", left.processes, 0],
  ];
  return rows
    .filter(([, found, allowed]) => found > allowed)
    .map(([what, found, allowed]) => `${odd.name}: ${found} ${what}, and ${allowed} are allowed`);
}
