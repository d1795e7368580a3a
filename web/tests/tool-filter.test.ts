// Which tools a search and a filter show.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Permission, ToolView } from "../src/generated/types.ts";
import { filterTools, obstacles } from "../src/screens/server/tool-filter.ts";

function tool(nativeName: string, permission: Permission, more: Partial<ToolView> = {}): ToolView {
  const notModelReady: ToolView["notModelReady"] =
    permission === "off" ? [{ code: "mcp.tool_permission_off", message: "off" }] : [];
  return {
    id: `mcp/x:${nativeName}`,
    nativeName,
    inputSchemaJson: "{}",
    annotationsJson: "{}",
    permission,
    notModelReady,
    ...more,
  };
}

const odd = tool("old", "ask", { notModelReady: [{ code: "mcp.tool_root_type_not_object", message: "no type" }] });
const all = [
  tool("read_file", "off", { description: "Reads a file." }),
  tool("write_file", "allow", { description: "Writes a file.", title: "Save", override: { description: "Mine." } }),
  odd,
];
const none: ReadonlySet<string> = new Set();
const names = (tools: ToolView[]) => tools.map((one) => one.nativeName);

test("every word has to be in name, title or description, in any case", () => {
  assert.deepEqual(names(filterTools(all, "FILE", "all", none).shown), ["read_file", "write_file"]);
  assert.deepEqual(names(filterTools(all, "file save", "all", none).shown), ["write_file"]);
  assert.deepEqual(names(filterTools(all, "nothing", "all", none).shown), []);
});

test("a filter shows what was decided so, and the counts follow the search", () => {
  assert.deepEqual(names(filterTools(all, "", "off", none).shown), ["read_file"]);
  assert.deepEqual(filterTools(all, "", "all", none).counts, {
    all: 3,
    off: 1,
    ask: 1,
    allow: 1,
    changed: 1,
    unready: 1,
  });
  assert.deepEqual(filterTools(all, "file", "all", none).counts, {
    all: 2,
    off: 1,
    ask: 0,
    allow: 1,
    changed: 1,
    unready: 0,
  });
  assert.deepEqual(names(filterTools(all, "", "changed", none).shown), ["write_file"]);
});

test("being off is no obstacle of its own; an input that is no object is", () => {
  assert.deepEqual(obstacles(all[0] ?? odd), []);
  assert.equal(obstacles(odd).length, 1);
  assert.deepEqual(names(filterTools(all, "", "unready", none).shown), ["old"]);
});

test("a kept tool stays though the filter would hide it, but not against the search", () => {
  assert.deepEqual(names(filterTools(all, "", "allow", new Set(["old"])).shown), ["write_file", "old"]);
  assert.deepEqual(names(filterTools(all, "file", "allow", new Set(["old"])).shown), ["write_file"]);
});
