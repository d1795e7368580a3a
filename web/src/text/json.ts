// JSON documents of servers for reading: parsed so that numbers keep the spelling they came in.

/** A number as it was written. */
export class NumberText {
  constructor(readonly text: string) {}
}

export type Json = null | boolean | string | NumberText | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** The document, or nothing where the text is no JSON. */
export function parseJson(text: string): Json | undefined {
  const revive: Reviver = (_key, value, context) => {
    if (typeof value === "number") return new NumberText(context?.source ?? String(value));
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText)) {
      return value instanceof Map ? value : new Map(Object.entries(value));
    }
    return value;
  };
  try {
    return JSON.parse(text, revive) as Json;
  } catch {
    return undefined;
  }
}

/** A value on one line. */
export function inline(value: Json): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([key, inner]) => `${JSON.stringify(key)}: ${inline(inner)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}

/** The value a local `$ref` such as `#/$defs/Place` points to. */
export function resolvePointer(root: Json, ref: string): Json | undefined {
  if (!ref.startsWith("#")) return undefined;
  let at: Json | undefined = root;
  for (const part of ref.slice(1).split("/").slice(1)) {
    let key: string;
    try {
      key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    } catch {
      return undefined;
    }
    if (at instanceof Map) at = at.get(key);
    else if (Array.isArray(at)) at = at[Number(key)];
    else return undefined;
  }
  return at;
}
