// What must come of a setting and a server: worked out from what the server's SDK says it speaks.

import type { ProtocolVersion } from "../../../web/src/generated/types.ts";
import { NUMBER, type RealServer } from "./servers.ts";

/** Every value of a server's setting. */
export const SETTINGS = [
  "auto",
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
] as const satisfies ProtocolVersion[];

export type Setting = (typeof SETTINGS)[number];

/** The version that is spoken, or the code of the refusal. */
export type Negotiated = { readonly version: string } | { readonly refusal: string };

/** The newest version both have; a fixed one or none. Versions are dates, and sort like them. */
export function negotiated(setting: Setting, server: Pick<RealServer, "initialize" | "discover">): Negotiated {
  const allowed: readonly string[] = setting === "auto" ? SETTINGS.filter((version) => version !== "auto") : [setting];
  const spoken = [...server.discover, ...server.initialize].filter((version) => allowed.includes(version));
  const version = spoken.sort().at(-1);
  return version === undefined ? { refusal: "mcp.connection_protocol_version" } : { version };
}

/** How the number comes back: as it was sent, or as the nearest double of a language that has no other numbers. */
export function shown(server: Pick<RealServer, "numbers">): string {
  return server.numbers === "exact" ? NUMBER : String(Number(NUMBER));
}
