// What a person has typed into "Edit", for each server. It lives here and not in the dialog, so that neither closing the
// dialog nor a conflict loses it; it ends when it is saved or discarded.

import { signal } from "@preact/signals";
import type { EditableConfig } from "../generated/types";
import { formOf, sameForm, type FormDraft } from "./server-form";

export interface EditDraft {
  /** What was read, with the revision that a save carries back. */
  read: EditableConfig;
  /** Whether it was read with its secrets. */
  revealed: boolean;
  form: FormDraft;
}

const drafts = signal<ReadonlyMap<string, EditDraft>>(new Map());

export function editDraftOf(id: string): EditDraft | undefined {
  return drafts.value.get(id);
}

export function keepEditDraft(id: string, draft: EditDraft): void {
  drafts.value = new Map(drafts.value).set(id, draft);
}

export function dropEditDraft(id: string): void {
  const rest = new Map(drafts.value);
  rest.delete(id);
  drafts.value = rest;
}

/** What was read, with nothing changed yet. */
export function freshDraft(read: EditableConfig, revealed: boolean): EditDraft {
  return { read, revealed, form: formOf(read.displayName, read.config) };
}

export function differs(draft: EditDraft): boolean {
  return !sameForm(draft.form, formOf(draft.read.displayName, draft.read.config));
}
