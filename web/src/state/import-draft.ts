// The text of "Import": closing the dialog, by whatever way, does not lose it, and what takes its place, such as a file,
// leaves a way back. It ends when it is imported or the person starts over.

import { signal } from "@preact/signals";

export interface ImportDraft {
  text: string;
  /** What stood there before another text was brought in, and what that was: a file's name, or nothing for Add's text. */
  replaced?: { text: string; by: string | undefined };
}

export const importDraft = signal<ImportDraft>({ text: "" });

/** The person types. */
export function editImport(text: string): void {
  importDraft.value = { ...importDraft.peek(), text };
}

/** A text from elsewhere: a file by its name, or what was typed into "Add server". */
export function bringToImport(text: string, by?: string): void {
  const before = importDraft.peek().text;
  importDraft.value = before.trim() === "" || before === text ? { text } : { text, replaced: { text: before, by } };
}

export function putBack(): void {
  const { replaced } = importDraft.peek();
  if (replaced) importDraft.value = { text: replaced.text };
}

export function endImport(): void {
  importDraft.value = { text: "" };
}
