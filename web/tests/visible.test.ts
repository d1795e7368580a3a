// What a server says cannot hide: characters without a face get one, and all others stay as they are.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pieces, visible } from "../src/text/visible.ts";

test("characters that change direction, take no room or control a terminal become marks", () => {
  assert.equal(visible("pay\u202Eexe"), "pay[U+202E]exe");
  assert.equal(visible("a\u200Bb\u2060c\uFEFFd"), "a[U+200B]b[U+2060]c[U+FEFF]d");
  assert.equal(visible("\u0007\u001B[31m\u009B"), "[U+0007][U+001B][31m[U+009B]");
  assert.equal(visible("\u2066x\u2069"), "[U+2066]x[U+2069]");
  assert.equal(visible("tag\u{E0041}"), "tag[U+E0041]");
  assert.equal(visible("\uD800"), "[U+D800]");
});

test("text of people stays as it is", () => {
  for (const text of ["search", "日本語の検索", "שלום", "<b>x</b>", "a & b", "👍🏽", "naïve — “quoted”"]) {
    assert.equal(visible(text), text);
  }
});

test("line feeds and tabs are marks on one line and themselves on many", () => {
  assert.equal(visible("a\n\tb"), "a[U+000A][U+0009]b");
  assert.equal(visible("a\r\n\tb", true), "a\n\tb");
  assert.equal(visible("a\rb", true), "a[U+000D]b");
});

test("pieces leave nothing out", () => {
  assert.deepEqual(pieces("\u202Ea\u202E"), [
    { kind: "mark", mark: "U+202E" },
    { kind: "text", text: "a" },
    { kind: "mark", mark: "U+202E" },
  ]);
  assert.deepEqual(pieces(""), []);
});
