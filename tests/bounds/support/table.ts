// docs/bounds.md: what `cargo xtask bounds` measured.

import { cpus } from "node:os";

import * as bounds from "../bounds.ts";
import { BINARY } from "../../browser/support/toolgate.ts";
import type { pages, requests, servers } from "./load.ts";
import type { Result } from "./measure.ts";

/** What many at once came to. */
export interface Load {
  readonly pages: Awaited<ReturnType<typeof pages>>;
  readonly requests: Awaited<ReturnType<typeof requests>>;
  readonly servers: Awaited<ReturnType<typeof servers>>;
}

const mib = (kib: number): string => (kib / 1024).toFixed(1);
const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

/** The whole file. */
export function document(results: readonly Result[], load: Load): string {
  const build = BINARY.includes("/debug/") ? "without optimisation" : "as it is released";
  const kinds = [...new Set(results.map(({ odd }) => odd.kind))];
  const left = ({ left }: Pick<Result, "left">): string =>
    Object.values(left).every((count) => count === 0) ? "nothing" : JSON.stringify(left);
  const most = [...results].sort((one, other) => other.most.memory - one.most.memory).slice(0, 12);
  return [
    "<!-- Written by `cargo xtask bounds`. Do not edit. -->",
    "",
    "# What odd servers may cost",
    "",
    `Each of the kit's ${results.length} odd servers (\`tests/kit\`) was met by a running \`toolgate serve\`: registered, discovered,`,
    "called where its oddity shows in a call, and removed. Linux said what the process held before, at the most, and afterwards",
    `(\`/proc\`). The program was built ${build}; the computer has ${cpus().length} processors.`,
    "",
    "One server costs no more than this at any moment, whatever it does; the command fails where one costs more or leaves",
    "anything, and the tests meet a part of the servers and pause each in the middle:",
    "",
    line(["", "at the most"]),
    line(["---", "---"]),
    line(["memory", `${bounds.MOST_MIB} MiB`]),
    line(["handles (files, pipes, sockets)", bounds.MOST_HANDLES]),
    line(["threads", bounds.MOST_THREADS]),
    line(["processes, the guard and what a program starts included", bounds.MOST_PROCESSES]),
    line(["time for discovery and one call", `${bounds.MOST_SECONDS} s`]),
    line(["left afterwards: handles, sockets, processes, threads", "nothing"]),
    "",
    "## By kind",
    "",
    "The worst of each kind, in each column whichever it was. One socket is the one that asked.",
    "",
    line(["kind", "servers", "MiB", "by", "handles", "sockets", "processes", "longest", "by", "left"]),
    line(Array.from({ length: 10 }, () => "---")),
    ...kinds.map((kind) => {
      const of = results.filter(({ odd }) => odd.kind === kind);
      const worst = (value: (result: Result) => number): Result =>
        of.reduce((one, other) => (value(other) > value(one) ? other : one));
      const memory = worst(({ most }) => most.memory);
      const slowest = worst(({ milliseconds }) => milliseconds);
      const found = of.find((result) => left(result) !== "nothing");
      return line([
        kind,
        of.length,
        mib(memory.most.memory),
        memory.odd.name,
        worst(({ most }) => most.handles).most.handles,
        worst(({ most }) => most.sockets).most.sockets,
        worst(({ most }) => most.processes).most.processes,
        `${(slowest.milliseconds / 1000).toFixed(1)} s`,
        slowest.odd.name,
        found === undefined ? "nothing" : `${found.odd.name}: ${left(found)}`,
      ]);
    }),
    "",
    "## The dozen that cost the most memory",
    "",
    line(["server", "MiB", "what it does"]),
    line(["---", "---", "---"]),
    ...most.map(({ odd, most }) => line([odd.name, mib(most.memory), odd.about.replaceAll("|", "\\|")])),
    "",
    "## Many at once",
    "",
    line(["", "cost", "at the most", "left"]),
    line(["---", "---", "---", "---"]),
    line([
      `${bounds.PAGES} pages connected, each asking and hearing of a change`,
      `${load.pages.kibAPage} KiB a page`,
      `${bounds.KIB_A_PAGE} KiB a page`,
      left(load.pages),
    ]),
    line([
      `${bounds.REQUESTS} requests of the bridge, a hundred at once`,
      `${load.requests.mibLeft} MiB more than before`,
      `${bounds.MIB_AFTER_REQUESTS} MiB`,
      left(load.requests),
    ]),
    line([
      `${bounds.SERVERS} servers discovered at once, every fifth a program (${load.servers.mostProcesses} processes)`,
      `${load.servers.mib} MiB`,
      `${bounds.MIB_OF_SERVERS} MiB`,
      left(load.servers),
    ]),
    "",
  ].join("\n");
}
