// What a person has typed into "Add server". It lives here and not in the dialog, so that closing the dialog, by whatever
// way, loses nothing; it ends when the server is added or the person starts over.

import { computed, signal } from "@preact/signals";
import type { ServerDraft } from "../generated/types";
import { configOf, EMPTY_FORM, fitsForm, formOf, sameForm, type FormDraft } from "./server-form";

export interface AddDraft {
  tab: "form" | "json";
  form: FormDraft;
  json: string;
  /** The name, where the JSON has none. */
  jsonName: string;
  /** The form as it was when both tabs last said the same. */
  carried: FormDraft;
}

const EMPTY: AddDraft = {
  tab: "json",
  form: EMPTY_FORM,
  json: "",
  jsonName: "",
  carried: EMPTY_FORM,
};

export const addDraft = signal<AddDraft>(EMPTY);
export const draftIsEmpty = computed(() => {
  const { form, json, jsonName } = addDraft.value;
  return json === "" && jsonName === "" && sameForm(form, EMPTY_FORM);
});

export function editDraft(change: Partial<AddDraft>): void {
  addDraft.value = { ...addDraft.value, ...change };
}

export function editForm(change: Partial<FormDraft>): void {
  editDraft({ form: { ...addDraft.value.form, ...change } });
}

export function startOver(): void {
  addDraft.value = { ...EMPTY, tab: addDraft.value.tab };
}

/** The JSON says what the form says. A text that said so before, and a form nobody has touched, leave it as it was written. */
export function toJsonTab(draft: AddDraft): AddDraft {
  const { form, carried } = draft;
  if (sameForm(form, carried)) return { ...draft, tab: "json" };
  const json = JSON.stringify(configOf(form), null, 2);
  return { ...draft, tab: "json", json, jsonName: form.name, carried: form };
}

/** The form says what the text says; nothing where it cannot hold that. */
export function toFormTab(draft: AddDraft, said: ServerDraft): AddDraft | undefined {
  if (!fitsForm(said.config)) return undefined;
  const form = formOf(said.displayName ?? draft.jsonName, said.config);
  return { ...draft, tab: "form", form, carried: form };
}
