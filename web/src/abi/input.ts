// The shapes of arguments: which fields there are and of which type each is, as the declaration says. What a value may
// mean (an endpoint, a name, arguments of a call) is decided by the host alone.

import { McpInputError } from "./errors";

/** An argument's fields, by name; reading one checks it. */
export class Fields<Name extends string> {
  private constructor(
    private readonly method: string,
    private readonly values: Readonly<Record<string, unknown>>,
  ) {}

  /** Refuses what is no object, and fields that are not known. `what` names the argument. */
  static of<Name extends string>(method: string, what: string, value: unknown, known: readonly Name[]): Fields<Name> {
    if (!isRecord(value)) throw wrong(method, what, "must be an object", value);
    refuseUnknown(method, "", value, known);
    return new Fields(method, value);
  }

  string(name: Name): string {
    return text(this.method, name, this.values[name]);
  }

  oneOf<Choice extends string>(name: Name, choices: readonly Choice[]): Choice {
    const value = this.values[name];
    const choice = choices.find((choice) => choice === value);
    if (choice === undefined) {
      const list = choices.map((choice) => JSON.stringify(choice)).join(", ");
      throw wrong(this.method, name, `must be one of ${list}`, value);
    }
    return choice;
  }

  strings(name: Name): Record<string, string> {
    return texts(this.method, name, this.values[name]);
  }

  has(name: Name): boolean {
    return this.values[name] !== undefined;
  }

  value(name: Name): unknown {
    return this.values[name];
  }
}

/** The server a method is about: its id, or an object with it. */
export function registrationId(method: string, input: unknown): string {
  if (typeof input === "string") return text(method, "registrationId", input);
  if (!isRecord(input))
    throw wrong(method, "input", "must be a registration id, or an object with registrationId", input);
  return Fields.of(method, "input", input, ["registrationId"]).string("registrationId");
}

/** A description override, or null, which removes it; `undefined` is a mistake and no null. */
export function descriptionOverride(
  method: string,
  value: unknown,
): { description?: string; properties?: Record<string, string> } | null {
  if (value === null) return null;
  if (value === undefined) throw wrong(method, "override", "must be an object, or null to remove it", value);
  if (!isRecord(value)) throw wrong(method, "override", "must be an object or null", value);
  refuseUnknown(method, "override", value, ["description", "properties"]);
  const { description, properties } = value;
  return {
    ...(description !== undefined && { description: text(method, "override.description", description) }),
    ...(properties !== undefined && { properties: texts(method, "override.properties", properties) }),
  };
}

/** The signal in a method's options. */
export function signalIn(method: string, options: unknown): AbortSignal | undefined {
  if (options === undefined) return undefined;
  const signal = Fields.of(method, "options", options, ["signal"]).value("signal");
  if (signal === undefined || isSignal(signal)) return signal;
  throw wrong(method, "signal", "must be an AbortSignal", signal);
}

function text(method: string, path: string, value: unknown): string {
  if (typeof value !== "string") throw wrong(method, path, "must be a string", value);
  // JSON in UTF-8, which goes to the host, has no way to say half a character.
  if (/\p{Surrogate}/u.test(value)) {
    throw new McpInputError(`${method}: ${path} holds half of a character (a lone surrogate), which is no text.`, path);
  }
  return value;
}

function texts(method: string, path: string, value: unknown): Record<string, string> {
  if (!isRecord(value)) throw wrong(method, path, "must be an object of strings", value);
  if (!isPlain(value)) throw wrong(method, path, "must be a plain object of strings, whose fields are its own", value);
  const entries = Object.entries(value).map(([name, item]) => {
    const where = member(path, name);
    return [text(method, where, name), text(method, where, item)] as const;
  });
  return Object.fromEntries(entries);
}

function refuseUnknown(method: string, path: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const where = member(path, unknown);
  throw new McpInputError(`${method}: there is no field ${where}; there are ${known.join(", ")}.`, where);
}

function wrong(method: string, path: string, must: string, value: unknown): McpInputError {
  return new McpInputError(`${method}: ${path} ${must}; it is ${kindOf(value)}.`, path);
}

/** What a value is, never what is in it: it may be a secret. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "string") return "another string";
  return typeof value === "object" ? Object.prototype.toString.call(value).slice("[object ".length, -1) : typeof value;
}

/** Not a list, a map, `Headers` or another object whose content is not in its fields; of whatever frame it comes. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** Whether nothing but `Object`, of whatever frame, stands behind it: what a class gives its instances is no field. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A signal of another frame is no instance of this one's class. */
function isSignal(value: unknown): value is AbortSignal {
  return Object.prototype.toString.call(value) === "[object AbortSignal]";
}

/** A path to a member, spelled as the host spells it. */
function member(parent: string, name: string): string {
  if (!/^[\p{L}\p{N}\-_$/@ ]+$/u.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === "" ? name : `${parent}.${name}`;
}
