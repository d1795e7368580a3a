// What models see and read, by the core's own functions in the page's second module; the Legacy round of a WebView.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { before, test } from "node:test";

import init, { LegacyRoot, checkArguments, previewTool, readOutcome } from "@toolgate/core/schema";
import type { ToolDescriptor } from "@toolgate/core/schema";

const SEARCH: ToolDescriptor = {
  toolId: "mcp/11111111-1111-4111-8111-111111111111:search",
  serverName: "docs",
  description: "Find.",
  inputSchemaJson: '{"type":"object","properties":{"n":{"maximum":9007199254740993}}}',
};

const KNOWN =
  '{"outcome":"known_response","response":{"kind":"tool_result","isError":false,"textBlocks":[{"index":0,"text":"hi"}],"structuredJson":"{\\"a\\":9007199254740993}","diagnostics":[]}}';
const UNKNOWN = '{"outcome":"outcome_unknown","code":"mcp.call_timeout","message":"No answer in time."}';

before(async () => {
  const wasm = createRequire(import.meta.url).resolve("@toolgate/core/schema.wasm");
  await init({ module_or_path: await readFile(wasm) });
});

test("a tool as a model sees it, before its description is saved", () => {
  const preview = previewTool(SEARCH, { description: "Look up.", properties: { n: "how many", gone: "x" } });
  assert.equal(preview.alias, "mcp__docs__search");
  assert.equal(preview.description, "Look up.");
  assert.equal(
    preview.inputSchemaJson,
    '{"type":"object","properties":{"n":{"maximum":9007199254740993,"description":"how many"}}}',
  );
  assert.deepEqual(
    preview.diagnostics.map(({ code, path }) => [code, path]),
    [["mcp.description_property_missing", "properties.gone"]],
  );
  assert.equal(previewTool(SEARCH, null).description, "Find.");
});

test("arguments are checked and stay as they are spelled", () => {
  assert.deepEqual(checkArguments(' {"a" : 9007199254740993}'), { value: '{"a":9007199254740993}', error: null });
  const { value, error } = checkArguments("[]");
  assert.equal(value, null);
  assert.equal(error?.code, "mcp.call_arguments_not_object");
});

test("an outcome as a model reads it", () => {
  assert.deepEqual(readOutcome(KNOWN), {
    result: { isError: false, content: "hi\n\n## Details\n\n- `a`: `9007199254740993`" },
    unknown: null,
  });
  assert.deepEqual(readOutcome(UNKNOWN), { result: null, unknown: "mcp.call_timeout" });
  assert.deepEqual(readOutcome("no outcome"), { result: null, unknown: null });
});

test("a Legacy round from its tools to its end", () => {
  const root = new LegacyRoot([SEARCH]);
  const begun = root.beginRound(null, ["mcp__docs__search"]);
  assert.equal(begun.error, null);
  const alias = "mcp__docs__search_c719e64b";
  assert.deepEqual(root.finalize(begun.tools), [alias]);
  assert.deepEqual(root.resolve(alias), { toolId: SEARCH.toolId, error: null });
  assert.equal(root.resolve("mcp__docs__search").error?.code, "mcp.legacy_tool_not_advertised");

  assert.deepEqual(
    root.settle([KNOWN]).results?.map((result) => result.isError),
    [false],
  );
  const settled = root.settle([KNOWN, UNKNOWN]);
  assert.equal(settled.results, null);
  assert.equal(settled.ended?.code, "mcp.call_timeout");
  assert.equal(root.hasEnded, true);
  assert.equal(root.beginRound(null, []).error?.code, "mcp.legacy_root_ended");
});

test("what the host answers instead of an outcome is an unknown one", () => {
  const root = new LegacyRoot([SEARCH]);
  assert.equal(root.settle(["{}"]).ended?.code, "mcp.call_response_failed");
});

test("a descriptor of another form is a mistake of the caller", () => {
  assert.throws(() => new LegacyRoot([{ ...SEARCH, toolId: "search" }]), TypeError);
});
