// What a person has typed into "Add server". It lives here and not in the dialog, so that closing the dialog, by whatever
// way, loses nothing; it ends when the server is added or the person starts over.

import { computed, signal } from "@preact/signals";
import { EMPTY_FORM, sameForm, type FormDraft } from "./server-form";

export interface AddDraft {
  tab: "form" | "json";
  form: FormDraft;
  json: string;
  /** The name, where the JSON has none. */
  jsonName: string;
}

const EMPTY: AddDraft = {
  tab: "json",
  form: EMPTY_FORM,
  json: "",
  jsonName: "",
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
