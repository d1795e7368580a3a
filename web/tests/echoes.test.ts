// What a field said itself is told from what is said to it, also where renderings come late or are left out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Echoes } from "../src/ui/echoes.ts";

test("a value that comes back is an echo, once", () => {
  const echoes = new Echoes();
  echoes.sent("a");
  assert.equal(echoes.isEcho("a"), true);
  assert.equal(echoes.isEcho("a"), false);
});

test("an older value that comes back late is an echo, and so is the newer one behind it", () => {
  const echoes = new Echoes();
  echoes.sent("a");
  echoes.sent("ab");
  assert.equal(echoes.isEcho("a"), true);
  assert.equal(echoes.isEcho("ab"), true);
});

test("values whose rendering was left out are done with", () => {
  const echoes = new Echoes();
  for (const value of ["a", "ab", "abc"]) echoes.sent(value);
  assert.equal(echoes.isEcho("abc"), true);
  assert.equal(echoes.isEcho("a"), false);
});

test("a value from elsewhere is none, and what was sent before it no longer counts", () => {
  const echoes = new Echoes();
  echoes.sent("a");
  assert.equal(echoes.isEcho(""), false);
  assert.equal(echoes.isEcho("a"), false);
});
