// What a text of one server amounts to: the server in it, as far as there is one, and what core says about both.

import { checkServer } from "../../core";
import type { AddPreview, ServerConfig } from "../../generated/types";
import type { Check } from "./check-panel";

export interface Checked {
  server?: { displayName: string; config: ServerConfig };
  check: Check;
}

/** `name` stands in where the text has none; `saved` is a saved server's configuration as it was read. */
export function checkJson(
  read: AddPreview | undefined,
  name: string,
  otherNames: readonly string[],
  saved?: ServerConfig,
): Checked {
  if (!read?.server) return { check: { errors: read?.errors ?? [], notes: read?.notes ?? [], warnings: [] } };
  const { config } = read.server;
  const displayName = read.server.displayName ?? name;
  const result = displayName === "" ? undefined : checkServer(displayName, config, otherNames, saved);
  return {
    server: { displayName, config },
    check: {
      errors: [...read.errors, ...(result?.errors ?? [])],
      notes: read.notes,
      warnings: result?.warnings ?? [],
      config,
      displayName,
      nameMissing: read.server.displayName === undefined,
    },
  };
}
