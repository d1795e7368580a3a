// The state of a test call: one call for each run, the outcome that stays, the arguments of earlier runs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BridgeClient } from "../src/bridge/client.ts";
import type { CallOutcome } from "../src/generated/types.ts";
import { TestCall, testCallOf } from "../src/state/test-calls.ts";
import { ID, MemoryHost, Refused } from "./support/memory-host.ts";

const ANSWERED: CallOutcome = {
  outcome: "known_response",
  response: { kind: "tool_result", isError: false, textBlocks: [{ index: 0, text: "hi" }], diagnostics: [] },
};
const CANCELLED: CallOutcome = { outcome: "outcome_unknown", code: "mcp.call_cancelled", message: "Stopped." };

function start(): { host: MemoryHost; call: TestCall } {
  const host = new MemoryHost();
  host.answers["tools.startTestCall"] = () => null;
  host.answers["tools.cancelTestCall"] = () => null;
  const bridge = new BridgeClient(host);
  bridge.start({ onState: () => undefined, onChanged: () => undefined });
  host.become("open");
  return { host, call: new TestCall(bridge, ID, "echo") };
}

test("a run hands over the text as it is spelled, and keeps its outcome until the next run", async () => {
  const { host, call } = start();
  host.answers["tools.testCall"] = () => ANSWERED;
  call.text.value = '{"n": 9007199254740993, "e": 1E5}';
  const run = call.start();
  assert.equal(call.isRunning, true);
  await run;
  assert.equal(call.isRunning, false);
  assert.deepEqual(call.run.value?.outcome, ANSWERED);
  const { argumentsJson, id, nativeName } = host.of("tools.testCall")[0]?.params as Record<string, unknown>;
  assert.deepEqual({ argumentsJson, id, nativeName }, { argumentsJson: call.text.value, id: ID, nativeName: "echo" });
  call.text.value = "{}";
  assert.deepEqual(call.run.value?.outcome, ANSWERED);
});

test("a second press while a call is under way is no second call", async () => {
  const { host, call } = start();
  const run = call.start();
  const again = call.start();
  const sent = await host.request("tools.testCall");
  host.answer(sent, ANSWERED);
  await Promise.all([run, again]);
  assert.equal(host.of("tools.testCall").length, 1);
  assert.equal(call.recent.value.length, 1);
});

test("stopping tells the host once, and the host's answer says what came of it", async () => {
  const { host, call } = start();
  const run = call.start();
  const sent = await host.request("tools.testCall");
  call.stop();
  call.stop();
  assert.equal(call.run.value?.stopped, true);
  assert.equal(call.isRunning, true);
  host.answer(sent, CANCELLED);
  await run;
  assert.deepEqual(call.run.value?.outcome, CANCELLED);
  assert.equal(host.of("tools.cancelTestCall").length, 1);
  call.stop();
  assert.equal(host.of("tools.cancelTestCall").length, 1);
});

test("a call the host refuses was not sent; one whose connection was lost may have happened", async () => {
  const refused = start();
  refused.host.answers["tools.testCall"] = () => new Refused("mcp.registration_not_found");
  await refused.call.start();
  assert.equal(refused.call.run.value?.outcome?.outcome, "not_sent");

  const lost = start();
  const run = lost.call.start();
  await lost.host.request("tools.testCall");
  lost.host.become("lost");
  await run;
  assert.equal(lost.call.run.value?.outcome?.outcome, "outcome_unknown");

  const taken = start();
  taken.host.answers["tools.testCall"] = () => new Refused("mcp.call_already_dispatched");
  await taken.call.start();
  assert.equal(taken.call.run.value?.outcome?.outcome, "outcome_unknown");
});

test("earlier arguments are kept once each, the latest first, ten at most", async () => {
  const { host, call } = start();
  host.answers["tools.testCall"] = () => ANSWERED;
  for (const n of [...Array(12).keys(), 5]) {
    call.text.value = `{"n":${n}}`;
    await call.start();
  }
  const texts = call.recent.value.map(({ text }) => text);
  assert.deepEqual(texts.slice(0, 3), ['{"n":5}', '{"n":11}', '{"n":10}']);
  assert.equal(texts.length, 10);
  assert.equal(new Set(texts).size, 10);
});

test("a tool has one test call for as long as the page lives, and shares it with no other", () => {
  const { host } = start();
  const bridge = new BridgeClient(host);
  const one = testCallOf(bridge, ID, "constructor");
  assert.equal(testCallOf(bridge, ID, "constructor"), one);
  assert.notEqual(testCallOf(bridge, ID, "echo"), one);
});
