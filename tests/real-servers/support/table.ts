// The table of docs/real-servers.md: what the test saw.

import { SETTINGS, type Negotiated } from "./expected.ts";
import { NUMBER, type RealServer } from "./servers.ts";

/** What one setting and one server came to. */
export interface Seen {
  readonly negotiated: Negotiated;
  /** The number of tools, and how the number came back; absent where the connection was refused. */
  readonly tools?: number;
  readonly number?: string;
}

/** A server's row. */
export interface Row {
  readonly server: Pick<RealServer, "sdk" | "initialize" | "discover">;
  /** In the order of the settings. */
  readonly seen: readonly Seen[];
}

/** The whole file. */
export function page(rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const head = ["server", ...SETTINGS.map((setting) => `\`${setting}\``)];
  const lines = [
    "<!-- Written by `WRITE_TABLE=1 cargo xtask test servers`. Do not edit. -->",
    "",
    "# Toolgate with real servers",
    "",
    "What `cargo xtask test servers` saw: each server on this computer, at the version of the lock files, with each value",
    "of the setting *protocol version*. A cell says which version was spoken, or the code of the refusal; how many tools",
    `were listed; and how ${NUMBER} (2^53 + 1), sent in a test call, came back: *exact*, or as the nearest number that`,
    "JavaScript, in which the server is written, can hold. [codes.md](codes.md) says what a code means.",
    "",
    line(head),
    line(head.map(() => "---")),
    ...rows.map(({ server, seen }) => line([server.sdk, ...seen.map(cell)])),
    "",
    "Protocol versions that each server's SDK says it speaks:",
    "",
    line(["server", "after `initialize`", "without (`server/discover`)"]),
    line(["---", "---", "---"]),
    ...rows.map(({ server }) => line([server.sdk, versions(server.initialize), versions(server.discover)])),
    "",
  ];
  return lines.join("\n");
}

function cell(seen: Seen): string {
  if ("refusal" in seen.negotiated) return `\`${seen.negotiated.refusal}\``;
  return `${seen.negotiated.version}, ${seen.tools} tools, ${seen.number === NUMBER ? "exact" : seen.number}`;
}

function versions(spoken: readonly string[]): string {
  return [...spoken].sort().reverse().join(", ") || "none";
}
