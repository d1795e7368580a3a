// JSON of servers for reading: local references, and values on one line.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inline, parseJson, resolvePointer, type Json } from "../src/text/json.ts";

const parsed = (text: string): Json => {
  const value = parseJson(text);
  assert.ok(value !== undefined);
  return value;
};

test("a text that is no JSON gives nothing", () => {
  assert.equal(parseJson("{"), undefined);
});

test("a value on one line keeps strings quoted and keys in order", () => {
  assert.equal(inline(parsed('{"b":[true,null,"x"],"a":{}}')), '{"b": [true, null, "x"], "a": {}}');
  assert.equal(inline(parsed("12")), "12");
});

test("a key that objects know by themselves is a key like any other", () => {
  const value = parsed('{"__proto__":{"constructor":"x"}}');
  assert.equal(inline(value), '{"__proto__": {"constructor": "x"}}');
});

test("a local reference is followed through objects and arrays, with its escapes", () => {
  const root = parsed('{"$defs":{"a/b":{"type":"string"},"list":["x","y"],"~t":"z"}}');
  assert.equal(inline(resolvePointer(root, "#/$defs/a~1b") ?? null), '{"type": "string"}');
  assert.equal(resolvePointer(root, "#/$defs/list/1"), "y");
  assert.equal(resolvePointer(root, "#/$defs/~0t"), "z");
  assert.equal(resolvePointer(root, "#"), root);
});

test("a reference that leads nowhere or elsewhere gives nothing", () => {
  const root = parsed('{"a":1}');
  assert.equal(resolvePointer(root, "#/b"), undefined);
  assert.equal(resolvePointer(root, "https://example.com/schema"), undefined);
  assert.equal(resolvePointer(root, "#/%"), undefined);
});
