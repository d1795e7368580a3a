// What a person has typed into "Add server". It lives here and not in the dialog, so that closing the dialog, by whatever
// way, loses nothing; it ends when the server is added or the person starts over.

import { computed, signal } from "@preact/signals";
import type { ProtocolVersion, ServerConfig, TransportKind } from "../generated/types";

export interface Pair {
  name: string;
  value: string;
}

export interface FormDraft {
  transport: TransportKind;
  name: string;
  url: string;
  headers: readonly Pair[];
  protocolVersion: ProtocolVersion;
  command: string;
  /** One argument a line. */
  args: string;
  env: readonly Pair[];
  cwd: string;
}

export interface AddDraft {
  tab: "form" | "json";
  form: FormDraft;
  json: string;
  /** The name, where the JSON has none. */
  jsonName: string;
}

const EMPTY: AddDraft = {
  tab: "json",
  form: {
    transport: "http",
    name: "",
    url: "",
    headers: [],
    protocolVersion: "auto",
    command: "",
    args: "",
    env: [],
    cwd: "",
  },
  json: "",
  jsonName: "",
};

export const addDraft = signal<AddDraft>(EMPTY);
export const draftIsEmpty = computed(() => {
  const { form, json, jsonName } = addDraft.value;
  return json === "" && jsonName === "" && JSON.stringify(form) === JSON.stringify(EMPTY.form);
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

/** The configuration a form describes. Rows without a name and a value are not there. */
export function configOf(form: FormDraft): ServerConfig {
  const { protocolVersion } = form;
  if (form.transport === "http") {
    return { type: "http", url: form.url, headers: record(form.headers), protocolVersion };
  }
  const args = form.args === "" ? [] : form.args.replace(/\n$/, "").split("\n");
  const cwd = form.cwd === "" ? {} : { cwd: form.cwd };
  return { type: "stdio", command: form.command, args, env: record(form.env), ...cwd, protocolVersion };
}

/** The first name that stands twice; an object could hold only one of them. */
export function doubledName(pairs: readonly Pair[]): string | undefined {
  const names = new Set<string>();
  for (const { name } of pairs.filter(filled)) {
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

function record(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.filter(filled).map(({ name, value }) => [name, value]));
}

function filled({ name, value }: Pair): boolean {
  return name !== "" || value !== "";
}
