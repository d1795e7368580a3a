// What is pasted where JSON belongs, and is none: an address, or a command as one types it in a terminal. The form takes
// either as it stands; what is right about it, core says there.

import type { FormDraft } from "../../state/server-form";

/** Words that a shell hands on as they stand. Quotes and the like are its own business, and nobody's guess. */
const PROGRAM = /^(?!\w+:\/\/)[\w@%+:,./-]+$/;
const WORD = /^[\w@%+:,./=-]+$/;

/** What the form would hold of it. */
export function pastedForm(text: string): Partial<FormDraft> | undefined {
  const words = text.trim().split(/[ \t]+/);
  const [first = "", ...rest] = words;
  if (rest.length === 0) return /^https?:\/\/\S+$/i.test(first) ? { transport: "http", url: first } : undefined;
  // What registers a server in another program: to run that is not what its documentation is read for here.
  if (rest[0] === "mcp" || rest.some((word) => word === "--add-mcp")) return undefined;
  if (!PROGRAM.test(first) || !rest.every((word) => WORD.test(word))) return undefined;
  return { transport: "stdio", command: first, args: rest.map((word) => `${word}\n`).join("") };
}
