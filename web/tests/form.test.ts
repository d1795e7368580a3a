// The form of a tool's arguments in the page's second module, and what its fields do to the JSON beside it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { before, test } from "node:test";

import init, { numberOrText, placeOf, removeAt, setAt, ToolForm } from "@toolgate/core/schema";
import type { FormNode } from "@toolgate/core/schema";

before(async () => {
  const wasm = createRequire(import.meta.url).resolve("@toolgate/core/schema.wasm");
  await init({ module_or_path: await readFile(wasm) });
});

const SCHEMA = JSON.stringify({
  type: "object",
  required: ["n"],
  properties: {
    n: { type: "integer", maximum: 10 },
    s: { type: ["string", "null"] },
    __proto__y: { type: "string" },
    list: { type: "array", items: { type: "string" } },
  },
});

function field(form: FormNode | null, name: string): FormNode {
  assert.ok(form?.control.kind === "object");
  const found = form.control.fields.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
}

test("a field's edit changes its place in the text, and the form read again has it", () => {
  const form = new ToolForm(SCHEMA);
  let text = '{"s": "x",  "other": 1E5}';
  text = setAt(text, "/n", numberOrText("9007199254740993")) ?? "";
  assert.equal(text, '{"s": "x",  "other": 1E5, "n": 9007199254740993}');
  assert.deepEqual(field(form.read(text, {}), "n").control, {
    kind: "number",
    integer: true,
    text: "9007199254740993",
  });
  text = removeAt(text, "/s") ?? "";
  assert.equal(text, '{"other": 1E5, "n": 9007199254740993}');
  assert.equal(field(form.read(text, {}), "s").present, false);
  assert.deepEqual(placeOf(text, "/n"), [1, 21]);
});

test("what cannot be edited is undefined or null, never an exception", () => {
  assert.equal(setAt("{", "/a", "1"), undefined);
  assert.equal(setAt("{}", "/a", "x"), undefined);
  assert.equal(removeAt("{}", "/a"), undefined);
  assert.equal(placeOf("{", "/a"), null);
  assert.equal(new ToolForm(SCHEMA).read("[]", {}), null);
  assert.equal(new ToolForm("nonsense").read("{}", {})?.control.kind, "json");
});

test("names that mean something to JavaScript are names like any other", () => {
  const schema = '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}';
  const form = new ToolForm(schema);
  const text = setAt("{}", "/__proto__", '"x"') ?? "";
  assert.deepEqual(field(form.read(text, { "/__proto__": 3, "/constructor": 1 }), "__proto__").control, {
    kind: "text",
    text: "x",
  });
});

test("choosing an alternative edits the text", () => {
  const form = new ToolForm(SCHEMA);
  assert.equal(form.choose('{"s": "x"}', {}, "/s", 1), '{"s": null}');
  assert.equal(form.choose('{"s": null}', {}, "/s", 0), "{}");
  assert.equal(form.choose("{}", {}, "/n", 1), undefined);
});

test("what does not fit is told with its place, and the schema's faults are no exception", () => {
  const form = new ToolForm(SCHEMA);
  assert.deepEqual(
    form.check('{"n":"12a","list":[1]}').warnings.map(({ path, keyword, expected }) => [path, keyword, expected]),
    [
      ["/n", "type", "integer"],
      ["/list/0", "type", "string"],
    ],
  );
  assert.deepEqual(form.check('{"n":3}'), { warnings: [], hasMore: false, notes: [] });
  assert.equal(typeof new ToolForm('{"type":"nonsense"}').check("{}").unchecked, "string");
});

test("a pattern that would go back without end is given up", () => {
  const form = new ToolForm('{"properties":{"a":{"pattern":"^(?=(a+)+$)b"}}}');
  const start = performance.now();
  form.check(JSON.stringify({ a: `${"a".repeat(5000)}!` }));
  assert.ok(performance.now() - start < 5_000);
});

test("arguments and schemas nested as deeply as can be are read on the module's small stack", () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const recursive = new ToolForm('{"properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"number"}]}}}');
  for (const levels of [40, 60, 120, 5_000]) {
    for (const form of [new ToolForm("{}"), recursive, new ToolForm('{"additionalProperties":{"$ref":"#"}}')]) {
      const text = nested(levels);
      assert.ok(form.read(text, {}));
      form.check(text);
      assert.equal(setAt(text, "/a", "2"), '{"a":2}');
    }
  }
  const levels = '{"properties":{"a":'.repeat(60) + "{}" + "}}".repeat(60);
  assert.ok(new ToolForm(levels).read(nested(60), {}));
  assert.ok(new ToolForm("[".repeat(100_000)).read("{}", {}));
});

test("a schema of 256 KiB is read at each key press", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`p${index}`, { type: "string", description: "x".repeat(380) }]),
  );
  const form = new ToolForm(JSON.stringify({ type: "object", properties }));
  const start = performance.now();
  for (let press = 0; press < 10; press += 1) {
    const text = JSON.stringify({ p0: "a".repeat(press), p1: "b".repeat(200_000) });
    form.read(text, {});
    form.check(text);
  }
  assert.ok(performance.now() - start < 10_000);
});
