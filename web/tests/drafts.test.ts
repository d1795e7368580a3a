// Drafts: going between the form and the JSON of a saved server, and from written descriptions to an override.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { EditableConfig, ServerConfig } from "../src/generated/types.ts";
import { draftOf, overrideOf, withoutProperties } from "../src/state/description-drafts.ts";
import { differs, freshDraft, jsonOf, toForm, toJson } from "../src/state/edit-drafts.ts";
import { configOf } from "../src/state/server-form.ts";

const http: ServerConfig = { type: "http", url: "https://a.example/mcp", headers: { A: "1" }, protocolVersion: "auto" };
const read = (config: ServerConfig): EditableConfig => ({ displayName: "a", config, revision: "1" });

test("a fresh draft differs in neither tab", () => {
  const draft = freshDraft(read(http), false, "form");
  assert.equal(differs(draft), false);
  assert.equal(differs({ ...draft, tab: "json" }), false);
  assert.equal(differs({ ...draft, tab: "json", json: "" }), true);
  assert.equal(differs({ ...draft, tab: "json", form: { ...draft.form, name: "b" } }), true);
});

test("a text that says what the form says stays as it was written", () => {
  const written = '{ /* mine */ "url": "https://a.example/mcp", "headers": { "A": "1" } }';
  const draft = { ...freshDraft(read(http), false, "json"), json: written };
  assert.equal(toJson(draft, http, { config: http }).json, written);
  const changed = { ...http, url: "https://b.example/mcp" };
  assert.equal(toJson(draft, changed, { config: http }).json, jsonOf(changed));
  assert.equal(toJson(draft, http, { config: http, displayName: "another" }).json, jsonOf(http));
  assert.equal(toJson(draft, http, undefined).json, jsonOf(http));
});

test("the form takes what the text says, its name too, and refuses an argument with a line break", () => {
  const draft = freshDraft(read(http), false, "json");
  const next = toForm(draft, { displayName: "named", config: { ...http, headers: {} } });
  assert.equal(next?.tab, "form");
  assert.equal(next?.form.name, "named");
  assert.deepEqual(next && configOf(next.form), { ...http, headers: {} });
  const stdio: ServerConfig = { type: "stdio", command: "a", args: ["1\n2"], env: {}, protocolVersion: "auto" };
  assert.equal(toForm(draft, { config: stdio }), undefined);
  assert.equal(freshDraft(read(stdio), true, "form").tab, "json");
});

test("descriptions: empty ones are not there, nothing at all removes the override", () => {
  assert.equal(overrideOf(draftOf(undefined)), null);
  assert.equal(overrideOf({ description: "", properties: new Map([["a", ""]]) }), null);
  assert.deepEqual(overrideOf({ description: " a ", properties: new Map([["b", ""]]) }), { description: " a " });
  const odd = overrideOf({ description: "", properties: new Map([["__proto__", "x"]]) });
  assert.equal(JSON.stringify(odd), '{"properties":{"__proto__":"x"}}');
  assert.deepEqual([...draftOf(odd ?? undefined).properties], [["__proto__", "x"]]);
});

test("properties that are gone are taken out, and the override with the last of them", () => {
  const override = { description: "d", properties: { a: "1", b: "2" } };
  assert.deepEqual(withoutProperties(override, ["a"]), { description: "d", properties: { b: "2" } });
  assert.deepEqual(withoutProperties(override, ["a", "b"]), { description: "d" });
  assert.equal(withoutProperties({ properties: { a: "1" } }, ["a"]), null);
});
