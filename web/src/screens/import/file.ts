// Reading a file that a person opened or dropped.

import { bringToImport } from "../../state/import-draft";
import { visible } from "../../text/visible";
import { words } from "./words";

/** The text an import may have; a configuration of 30 servers has a few thousand characters. */
const MOST_BYTES = 1_000_000;

/** Brings the file's text into the draft; answers why it could not. */
export async function readFile(file: File): Promise<string | undefined> {
  const name = visible(file.name);
  if (file.size > MOST_BYTES) return words.value.fileTooLarge(name);
  try {
    bringToImport(await file.text(), name);
    return undefined;
  } catch {
    return words.value.fileUnread(name);
  }
}
