// A JSON Schema for a person: its properties with type, whether required, description, allowed values; what is nested
// opens on demand. It shows what is there and judges nothing; the JSON beside it has everything.

import { useState } from "preact/hooks";
import { messages } from "../../i18n";
import { Untrusted } from "../../text/untrusted";
import { inline, resolvePointer, type Json } from "../../text/json";
import { Button } from "../../ui/button";

const SHOWN_AT_FIRST = 16;
/** Lists of lists of lists: a reference can make them endless. */
const DEEPEST_LIST = 8;

interface Entry {
  name: string;
  schema: Json;
  required: boolean;
  /** The name is a word of ours (each item, one of) and none of the server's. */
  ours?: boolean;
}

export function SchemaTree({ root }: { root: Json }) {
  const { tools } = messages.value;
  const entries = entriesOf(root, root);
  if (entries.length === 0) return <p class="muted">{tools.noParameters}</p>;
  return <Entries entries={entries} root={root} />;
}

function Entries({ entries, root }: { entries: readonly Entry[]; root: Json }) {
  const [all, setAll] = useState(false);
  const shown = all ? entries : entries.slice(0, SHOWN_AT_FIRST);
  return (
    <ul class="schema">
      {shown.map((entry, index) => (
        <EntryView key={index} entry={entry} root={root} />
      ))}
      {shown.length < entries.length && (
        <li>
          <Button kind="quiet" onClick={() => setAll(true)}>
            {`${messages.value.tools.moreLines} (${entries.length})`}
          </Button>
        </li>
      )}
    </ul>
  );
}

function EntryView({ entry, root }: { entry: Entry; root: Json }) {
  const { common, tools, schema: texts } = messages.value;
  const [open, setOpen] = useState(false);
  const schema = follow(entry.schema, root);
  const description = text(schema, "description");
  const values = schema instanceof Map ? schema.get("enum") : undefined;
  const initial = schema instanceof Map ? schema.get("default") : undefined;
  const inner = entriesOf(schema, root);
  const head = (
    <>
      {entry.ours ? (
        <span class="schema-word">{entry.name}</span>
      ) : (
        <code class="schema-name">
          <Untrusted text={entry.name} />
        </code>
      )}{" "}
      <span class="schema-type">
        <Untrusted text={typeWords(schema, root)} />
      </span>
      {entry.required && <span class="schema-required">{tools.required}</span>}
    </>
  );
  return (
    <li>
      {inner.length > 0 ? (
        <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{head}</summary>
          {open && <Entries entries={inner} root={root} />}
        </details>
      ) : (
        <div class="schema-leaf">{head}</div>
      )}
      {description !== undefined && (
        <p class="schema-text">
          <Untrusted text={description} lines />
        </p>
      )}
      {Array.isArray(values) && (
        <p class="schema-text">
          {texts.enum}
          {common.colon}
          <Untrusted text={values.map(inline).join(", ")} />
        </p>
      )}
      {initial !== undefined && (
        <p class="schema-text">
          {texts.default}
          {common.colon}
          <Untrusted text={inline(initial)} />
        </p>
      )}
    </li>
  );
}

function follow(schema: Json, root: Json): Json {
  let at = schema;
  // A chain of references can be a circle; what a circle points to has no content of its own to show.
  for (let steps = 0; steps < 16; steps += 1) {
    const ref = text(at, "$ref");
    const target = ref === undefined ? undefined : resolvePointer(root, ref);
    if (target === undefined) return at;
    at = target;
  }
  return at;
}

function entriesOf(schema: Json, root: Json, depth = 0): Entry[] {
  const at = follow(schema, root);
  if (!(at instanceof Map)) return [];
  const texts = messages.value.schema;
  const entries: Entry[] = [];
  const properties = at.get("properties");
  const required = at.get("required");
  if (properties instanceof Map) {
    for (const [name, inner] of properties) {
      entries.push({ name, schema: inner, required: Array.isArray(required) && required.includes(name) });
    }
  }
  // A list is as good as its items: they are shown in its place.
  const items = at.get("items");
  if (items !== undefined && depth < DEEPEST_LIST) entries.push(...entriesOf(items, root, depth + 1));
  const additional = at.get("additionalProperties");
  if (additional instanceof Map && additional.size > 0) {
    entries.push({ name: texts.additional, schema: additional, required: false, ours: true });
  }
  for (const [key, word] of [
    ["oneOf", texts.oneOf],
    ["anyOf", texts.oneOf],
    ["allOf", texts.allOf],
  ] as const) {
    const list = at.get(key);
    if (Array.isArray(list)) {
      for (const inner of list) entries.push({ name: word, schema: inner, required: false, ours: true });
    }
  }
  return entries;
}

function typeWords(schema: Json, root: Json, depth = 0): string {
  const texts = messages.value.schema;
  if (!(schema instanceof Map)) return texts.any;
  const type = schema.get("type");
  if (type === "array") {
    const items = schema.get("items");
    const known = items !== undefined && depth < DEEPEST_LIST;
    return texts.listOf(known ? typeWords(follow(items, root), root, depth + 1) : texts.any);
  }
  if (schema.has("enum") || schema.has("const")) return texts.choice;
  const named = (word: string) => texts.types.get(word) ?? word;
  if (typeof type === "string") return named(type);
  if (Array.isArray(type)) {
    return type
      .filter((word) => typeof word === "string")
      .map(named)
      .join(" | ");
  }
  if (schema.has("properties")) return named("object");
  return text(schema, "$ref") ?? texts.any;
}

function text(schema: Json, key: string): string | undefined {
  const value = schema instanceof Map ? schema.get(key) : undefined;
  return typeof value === "string" ? value : undefined;
}
