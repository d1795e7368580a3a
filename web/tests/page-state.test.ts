// The page's state that needs no browser: what is carried between a form and its JSON, an import's draft, results that are
// over, reading again without piling up.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { toFormTab, toJsonTab, type AddDraft } from "../src/state/add-draft.ts";
import { coalesced } from "../src/state/coalesced.ts";
import { bringToImport, editImport, endImport, importDraft, putBack } from "../src/state/import-draft.ts";
import { complain, leaveScreen, notices, say, settle } from "../src/state/notices.ts";
import { EMPTY_FORM, sameConnection } from "../src/state/server-form.ts";
import type { ServerConfig } from "../src/generated/types.ts";

const http = (url: string, headers: Record<string, string> = {}): ServerConfig => ({
  type: "http",
  url,
  headers,
  protocolVersion: "auto",
});

test("a connection is the same whatever the order of its keys, and another one where anything of it differs", () => {
  const one = http("https://a.example/", { A: "1", B: "2" });
  assert.ok(sameConnection(one, http("https://a.example/", { B: "2", A: "1" })));
  assert.ok(!sameConnection(one, http("https://a.example/", { A: "1", B: "3" })));
  assert.ok(!sameConnection(one, http("https://b.example/", { A: "1", B: "2" })));
  assert.ok(!sameConnection(one, { ...one, protocolVersion: "2025-06-18" }));
  const program = { type: "stdio", command: "npx", args: ["a", "b"], env: {}, protocolVersion: "auto" } as const;
  const stdio: ServerConfig = { ...program, args: [...program.args] };
  assert.ok(!sameConnection(stdio, { ...program, args: ["b", "a"] }));
  assert.ok(!sameConnection(stdio, { ...program, args: ["a", "b"], cwd: "/" }));
});

const draft: AddDraft = { tab: "form", form: EMPTY_FORM, json: "", jsonName: "", carried: EMPTY_FORM };

test("a form nobody has touched leaves the JSON as it was written", () => {
  const text = '{ "a": {} } // mine';
  assert.equal(toJsonTab({ ...draft, json: text }).json, text);
  const typed = toJsonTab({ ...draft, json: text, form: { ...EMPTY_FORM, name: "n", url: "https://a.example/" } });
  assert.deepEqual(JSON.parse(typed.json), http("https://a.example/"));
  assert.equal(typed.jsonName, "n");
  // Back and forth changes nothing more.
  const back = toFormTab(typed, { displayName: null, config: http("https://a.example/") } as never);
  assert.equal(back && toJsonTab(back).json, typed.json);
});

test("a text with an argument of several lines does not fit the form", () => {
  const config: ServerConfig = { type: "stdio", command: "x", args: ["a\nb"], env: {}, protocolVersion: "auto" };
  assert.equal(toFormTab(draft, { config } as never), undefined);
});

test("what is brought into an import leaves a way back to what was typed, and none where nothing was", () => {
  endImport();
  bringToImport("one", "file.json");
  assert.deepEqual(importDraft.value, { text: "one" });
  editImport("typed");
  bringToImport("two", "file.json");
  assert.deepEqual(importDraft.value, { text: "two", replaced: { text: "typed", by: "file.json" } });
  putBack();
  assert.deepEqual(importDraft.value, { text: "typed" });
});

beforeEach(() => {
  notices.value = [];
});
const offline = { kind: "offline" } as const;
const texts = () => notices.value.map((notice) => notice.text);

test("a failure goes when what it is about succeeds, when it fails again, and with its screen", (context) => {
  context.mock.method(globalThis, "setTimeout", () => 0);
  complain("a", offline, "tools 1");
  complain("b", offline, "tools 2");
  complain("a again", offline, "tools 1");
  assert.deepEqual(texts(), ["b", "a again"]);
  settle("tools 2");
  assert.deepEqual(texts(), ["a again"]);
  say("done", { about: "tools 1" });
  assert.deepEqual(texts(), ["done"]);
  complain("c", offline);
  say("more");
  leaveScreen();
  assert.deepEqual(texts(), ["more"]);
});

test("calls during a run make one more run, whatever their number", async () => {
  let runs = 0;
  let finish: () => void = () => undefined;
  const read = coalesced(() => {
    runs += 1;
    return new Promise<void>((resolve) => (finish = resolve));
  });
  const all = Promise.all([read(), read(), read()]);
  finish();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runs, 2);
  finish();
  await all;
  assert.equal(runs, 2);
  const later = read();
  assert.equal(runs, 3);
  finish();
  await later;
});
