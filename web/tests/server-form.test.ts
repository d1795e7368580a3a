// A configuration into the form and out of it again is the same configuration.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { ServerConfig } from "../src/generated/types.ts";
import { configOf, doubledName, EMPTY_FORM, fitsForm, formOf } from "../src/state/server-form.ts";

const configs: ServerConfig[] = [
  { type: "http", url: "https://a.example/mcp?x=1", headers: {}, protocolVersion: "auto" },
  { type: "http", url: "https://a.example/", headers: { B: "1", a: " 2 ", Empty: "" }, protocolVersion: "2025-06-18" },
  { type: "stdio", command: "npx", args: [], env: {}, protocolVersion: "auto" },
  {
    type: "stdio",
    command: "npx",
    args: ["-y", "", "two words"],
    env: { K: "v" },
    cwd: "/tmp",
    protocolVersion: "auto",
  },
  { type: "stdio", command: "npx", args: ["", ""], env: {}, protocolVersion: "auto" },
];

for (const config of configs) {
  test(`there and back: ${JSON.stringify(config)}`, () => {
    assert.ok(fitsForm(config));
    assert.deepEqual(configOf(formOf("name", config)), config);
  });
}

test("an argument with a line break does not fit the form", () => {
  assert.equal(fitsForm({ type: "stdio", command: "x", args: ["a\nb"], env: {}, protocolVersion: "auto" }), false);
});

test("a row without name and value is not there; one without a name is", () => {
  const headers = [
    { name: "", value: "" },
    { name: "A", value: "1" },
    { name: "", value: "lost" },
  ];
  const config = configOf({ ...EMPTY_FORM, headers });
  assert.deepEqual(config.type === "http" && config.headers, { A: "1", "": "lost" });
});

test("a name that stands twice is named; case makes another name", () => {
  const row = (name: string) => ({ name, value: "x" });
  assert.equal(doubledName([row("A"), row("B"), row("A")]), "A");
  assert.equal(doubledName([row("A"), row("a")]), undefined);
  assert.equal(doubledName([row(""), { name: "", value: "" }]), undefined);
});
