// A server as a form holds it while it is typed, and the way from there to a configuration and back.

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

export const EMPTY_FORM: FormDraft = {
  transport: "http",
  name: "",
  url: "",
  headers: [],
  protocolVersion: "auto",
  command: "",
  args: "",
  env: [],
  cwd: "",
};

export function sameForm(a: FormDraft, b: FormDraft): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A saved server in the form. */
export function formOf(name: string, config: ServerConfig): FormDraft {
  const { protocolVersion } = config;
  const form = { ...EMPTY_FORM, name, transport: config.type, protocolVersion };
  if (config.type === "http") return { ...form, url: config.url, headers: pairs(config.headers) };
  const { command, args, env, cwd = "" } = config;
  return { ...form, command, args: args.map((arg) => `${arg}\n`).join(""), env: pairs(env), cwd };
}

/** Whether the form can hold this configuration: it has one line for each argument. */
export function fitsForm(config: ServerConfig): boolean {
  return config.type === "http" || !config.args.some((arg) => arg.includes("\n"));
}

/** Whether two configurations make the same connection: only then does a save leave what was read of the server in place. */
export function sameConnection(a: ServerConfig, b: ServerConfig): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

function inOrder(config: ServerConfig): unknown {
  const sorted = (record: Record<string, string>) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  if (config.type === "http") return [config.url, sorted(config.headers), config.protocolVersion];
  const { command, args, env, cwd, protocolVersion } = config;
  return [command, args, sorted(env), cwd ?? null, protocolVersion];
}

function pairs(record: Record<string, string>): Pair[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
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
