// What a person has typed into "Edit", for each server. It lives here and not in the dialog, so that neither closing the
// dialog nor a conflict loses it; it ends when it is saved or discarded.

import { signal } from "@preact/signals";
import type { EditableConfig, ServerConfig } from "../generated/types";
import { fitsForm, formOf, sameForm, type FormDraft } from "./server-form";

export interface EditDraft {
  /** What was read, with the revision that a save carries back. */
  read: EditableConfig;
  /** Whether it was read with its secrets. */
  revealed: boolean;
  tab: EditTab;
  /** What the form holds; its name is also the one for a text that has none. */
  form: FormDraft;
  json: string;
}

export type EditTab = "form" | "json";

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
export function freshDraft(read: EditableConfig, revealed: boolean, tab: EditTab): EditDraft {
  const { displayName, config } = read;
  return {
    read,
    revealed,
    tab: fitsForm(config) ? tab : "json",
    form: formOf(displayName, config),
    json: jsonOf(config),
  };
}

export function differs({ tab, form, json, read }: EditDraft): boolean {
  if (tab === "json") return json !== jsonOf(read.config) || form.name !== read.displayName;
  return !sameForm(form, formOf(read.displayName, read.config));
}

/** A configuration as the text that is edited. The name has a field of its own, so that any name will do. */
export function jsonOf(config: ServerConfig): string {
  return JSON.stringify(config, null, 2);
}

/** What a tab says. */
export interface Said {
  displayName?: string;
  config: ServerConfig;
}

/**
 * The draft in the form, saying what the text says; nothing where the form cannot hold that.
 */
export function toForm(draft: EditDraft, said: Said): EditDraft | undefined {
  if (!fitsForm(said.config)) return undefined;
  return { ...draft, tab: "form", form: formOf(said.displayName ?? draft.form.name, said.config) };
}

/**
 * The draft as text, saying what the form says. A text that says so already stays as it was written, comments included.
 */
export function toJson(draft: EditDraft, config: ServerConfig, said: Said | undefined): EditDraft {
  const { name } = draft.form;
  const same =
    said !== undefined &&
    (said.displayName === undefined || said.displayName === name) &&
    sameForm(formOf(name, said.config), formOf(name, config));
  return { ...draft, tab: "json", json: same ? draft.json : jsonOf(config) };
}
