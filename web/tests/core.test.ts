// What the page's first module gives back: the core's values as plain objects, complete whatever their names are.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { before, test } from "node:test";

import init, { addOne, checkServer, editOne } from "@toolgate/core";

before(async () => {
  const wasm = createRequire(import.meta.url).resolve("@toolgate/core/core.wasm");
  await init({ module_or_path: await readFile(wasm) });
});

/** Names that mean something to an object of JavaScript. */
const NAMES = ["__proto__", "constructor", "toString", "A"];
const VALUES = Object.fromEntries(NAMES.map((name, index) => [name, `v${index}`]));

test("names that mean something to JavaScript are names like any other", () => {
  const http = addOne(`{"a":{"url":"https://example.com/","headers":${JSON.stringify(VALUES)}}}`);
  assert.deepEqual(http.errors, []);
  const config = http.server?.config;
  assert.ok(config?.type === "http");
  assert.deepEqual(Object.entries(config.headers), Object.entries(VALUES));
  assert.equal(Object.getPrototypeOf(config.headers), Object.prototype);

  const stdio = addOne(`{"a":{"command":"run","env":${JSON.stringify(VALUES)}}}`).server?.config;
  assert.ok(stdio?.type === "stdio");
  assert.deepEqual(Object.entries(stdio.env), Object.entries(VALUES));

  // And on the way in.
  const checked = checkServer("a", config, [], config);
  assert.deepEqual(checked.errors, []);
  assert.equal(JSON.stringify(checked.config), JSON.stringify(config));
  const edited = editOne(JSON.stringify({ a: config }), config).server?.config;
  assert.equal(JSON.stringify(edited), JSON.stringify(config));
});

test("what is absent is null or left out, as it is declared", () => {
  const preview = addOne("{");
  assert.equal(preview.server, null);
  assert.deepEqual(preview.notes, []);
  const bare = addOne('{"url":"https://example.com/"}').server;
  assert.deepEqual(Object.keys(bare ?? {}), ["config"]);
});

test("as many errors as a text can hold take no time", () => {
  const placeholders = Array.from({ length: 50_000 }, () => "{{DSH_MCP_SAVED:args%2F0}}");
  const preview = addOne(JSON.stringify({ command: "run", args: placeholders }));
  assert.equal(preview.errors.length, 50_000);
  assert.equal(preview.errors.at(-1)?.path, "args[49999]");
});
