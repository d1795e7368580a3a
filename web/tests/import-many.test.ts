// The preview of an import, by the core's own function in the page's second module.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { before, test } from "node:test";

import init, { importMany } from "@toolgate/core/schema";

before(async () => {
  const wasm = createRequire(import.meta.url).resolve("@toolgate/core/schema.wasm");
  await init({ module_or_path: await readFile(wasm) });
});

const TWO =
  '{"mcpServers": {"docs": {"url": "https://EXAMPLE.com/mcp", "disabled": true}, "files": {"command": "run"}}}';

test("what an import would create", () => {
  const { entries, errors, notes } = importMany(TWO, ["other"], 1);
  assert.deepEqual([errors, notes], [[], []]);
  assert.deepEqual(
    entries.map(({ displayName, path, config }) => [displayName, path, config?.type]),
    [
      ["docs", "mcpServers.docs", "http"],
      ["files", "mcpServers.files", "stdio"],
    ],
  );
  assert.deepEqual(
    entries.map((entry) => entry.notes.map((note) => note.code)),
    [["mcp.import_state_ignored"], []],
  );
});

test("which server is at fault", () => {
  const { entries } = importMany(TWO, ["docs"], 49);
  assert.deepEqual(
    entries.map(({ line, column, errors: found }) => [line, column, found.map((error) => error.code)]),
    [
      [1, 17, ["mcp.import_name_taken"]],
      [1, 79, ["mcp.server_limit"]],
    ],
  );
  const { entries: none, errors } = importMany("{", [], 0);
  assert.deepEqual(none, []);
  assert.equal(errors[0]?.code, "mcp.import_json_invalid");
});
