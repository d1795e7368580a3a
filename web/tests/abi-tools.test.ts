// `api.mcp.tools` over a host in memory: decisions, and a test call with everything that can come in between.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createMcpApi } from "../src/abi/index.ts";
import type { CallOutcome } from "../src/generated/types.ts";
import { ID, MemoryHost, Refused, summary } from "./support/memory-host.ts";

const CALL = { registrationId: ID, nativeName: "echo", argumentsJson: '{"n":9007199254740993}' };
const ANSWERED: CallOutcome = {
  outcome: "known_response",
  response: { kind: "tool_result", isError: false, textBlocks: [{ index: 0, text: "hi" }], diagnostics: [] },
};

function start(mostBytes?: number) {
  const host = new MemoryHost(mostBytes);
  host.answers["servers.list"] = () => ({ servers: [summary()], storageIssues: [] });
  host.answers["tools.setPermission"] = () => summary();
  host.answers["tools.setDescriptionOverride"] = () => summary();
  host.answers["tools.startTestCall"] = () => null;
  host.answers["tools.cancelTestCall"] = () => null;
  const { mcp } = createMcpApi({ transport: host });
  host.become("open");
  return { host, tools: mcp.tools };
}

test("decisions are sent as they are, and the server is answered", async () => {
  const { host, tools } = start();
  const tool = { registrationId: ID, nativeName: "echo" };
  assert.equal((await tools.setPermission({ ...tool, permission: "off" })).id, ID);
  assert.deepEqual(host.of("tools.setPermission")[0]?.params, { id: ID, nativeName: "echo", permission: "off" });
  const overrides = [
    null,
    { description: "  x " },
    { properties: { __proto__y: "z", "": "empty" } },
    { description: "", properties: {} },
  ];
  for (const override of overrides) await tools.setDescriptionOverride({ ...tool, override });
  await tools.setDescriptionOverride({ ...tool, override: {} });
  assert.deepEqual(
    host.of("tools.setDescriptionOverride").map(({ params }) => params),
    // Whether an empty one is taken is the host's to say.
    [...overrides, {}].map((override) => ({ id: ID, nativeName: "echo", override })),
  );
});

test("a call is announced, then handed over once under the same id, its arguments as text", async () => {
  const { host, tools } = start();
  host.answers["tools.testCall"] = () => ANSWERED;
  assert.deepEqual(await tools.testCall(CALL), ANSWERED);
  assert.deepEqual(
    host.sent.map(({ method }) => method),
    ["tools.startTestCall", "tools.testCall"],
  );
  const [announced, handed] = host.sent.map(({ params }) => params as { callId: string });
  assert.match(announced?.callId ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual(handed, {
    callId: announced?.callId,
    id: ID,
    nativeName: "echo",
    argumentsJson: '{"n":9007199254740993}',
  });
  await tools.testCall(CALL, { signal: new AbortController().signal });
  const ids = host.of("tools.testCall").map(({ params }) => (params as { callId: string }).callId);
  assert.equal(new Set(ids).size, 2);
});

test("a call is not handed over before its announcement is acknowledged", async () => {
  const { host, tools } = start();
  delete host.answers["tools.startTestCall"];
  host.answers["tools.testCall"] = () => ANSWERED;
  const outcome = tools.testCall(CALL);
  const announced = await host.request("tools.startTestCall");
  assert.equal(host.of("tools.testCall").length, 0);
  host.answer(announced, null);
  assert.deepEqual(await outcome, ANSWERED);
});

const CANCELLED = {
  outcome: "not_sent",
  code: "mcp.call_cancelled_before_send",
  message: "The call was cancelled before it was sent.",
};

test("a signal that was aborted before sends nothing at all", async () => {
  const { host, tools } = start();
  assert.deepEqual(await tools.testCall(CALL, { signal: AbortSignal.abort() }), CANCELLED);
  assert.equal(host.sent.length, 0);
});

test("an abort while the call is announced ends the wait at once, and the call is not handed over", async () => {
  const { host, tools } = start();
  delete host.answers["tools.startTestCall"];
  const abort = new AbortController();
  const outcome = tools.testCall(CALL, { signal: abort.signal });
  const announced = await host.request("tools.startTestCall");
  abort.abort();
  assert.deepEqual(await outcome, CANCELLED);
  host.answer(announced, new Refused("mcp.host_stopping"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(host.of("tools.testCall").length, 0);
});

test("an abort between the acknowledgement and the call hands nothing over", async () => {
  const { host, tools } = start();
  const abort = new AbortController();
  host.answers["tools.startTestCall"] = () => {
    // After the answer has come, and before the code that waits for it goes on.
    queueMicrotask(() => abort.abort());
    return null;
  };
  assert.deepEqual(await tools.testCall(CALL, { signal: abort.signal }), CANCELLED);
  assert.equal(host.of("tools.testCall").length, 0);
});

test("an abort under way cancels the call once, and its outcome is the host's", async () => {
  const { host, tools } = start();
  const abort = new AbortController();
  const outcome = tools.testCall(CALL, { signal: abort.signal });
  const handed = await host.request("tools.testCall");
  abort.abort();
  const { callId } = handed.params as { callId: string };
  assert.deepEqual((await host.request("tools.cancelTestCall")).params, { callId });
  const cancelled = { outcome: "outcome_unknown", code: "mcp.call_cancelled", message: "Stopped." } as const;
  host.answer(handed, cancelled);
  assert.deepEqual(await outcome, cancelled);
  assert.equal(host.of("tools.cancelTestCall").length, 1);
});

test("an abort after the outcome cancels nothing", async () => {
  const { host, tools } = start();
  host.answers["tools.testCall"] = () => ANSWERED;
  const abort = new AbortController();
  await tools.testCall(CALL, { signal: abort.signal });
  abort.abort();
  assert.equal(host.of("tools.cancelTestCall").length, 0);
});

test("a connection lost under way leaves the outcome unknown, and the call is never handed over again", async () => {
  const { host, tools } = start();
  const outcome = tools.testCall(CALL);
  await host.request("tools.testCall");
  host.become("lost");
  const { outcome: kind, ...failure } = await outcome;
  assert.equal(kind, "outcome_unknown");
  assert.equal("code" in failure && failure.code, "mcp.call_response_failed");
  host.become("open");
  assert.equal(host.of("tools.testCall").length, 1);
});

test("a connection lost before the call, or none at all, means that it was not sent", async () => {
  const { host, tools } = start();
  delete host.answers["tools.startTestCall"];
  const outcome = tools.testCall(CALL);
  await host.request("tools.startTestCall");
  host.become("lost");
  const expected = {
    outcome: "not_sent",
    code: "mcp.call_not_queued",
    message: "There is no connection to Toolgate; the call was not sent.",
  };
  assert.deepEqual(await outcome, expected);
  assert.deepEqual(await tools.testCall(CALL), expected);
  assert.equal(host.sent.length, 1);
});

test("arguments that no message could carry were not sent", async () => {
  const { host, tools } = start(1000);
  const argumentsJson = JSON.stringify({ text: "é".repeat(500) });
  const outcome = await tools.testCall({ ...CALL, argumentsJson });
  assert.deepEqual([outcome.outcome, "code" in outcome && outcome.code], ["not_sent", "mcp.call_arguments_size_limit"]);
  assert.equal(host.of("tools.testCall").length, 0);
});

test("a call that the host has no room for was not sent", async () => {
  const { host, tools } = start();
  host.answers["tools.testCall"] = () => new Refused("mcp.bridge_requests_limit", undefined, "Too many wait.");
  const expected = { outcome: "not_sent", code: "mcp.bridge_requests_limit", message: "Too many wait." };
  assert.deepEqual(await tools.testCall(CALL), expected);
});

test("a refusal of the host rejects; a failure of the host under way leaves the outcome unknown", async () => {
  const { host, tools } = start();
  host.answers["tools.testCall"] = () => new Refused("mcp.call_already_dispatched", "callId");
  await assert.rejects(tools.testCall(CALL), { code: "mcp.call_already_dispatched" });
  host.answers["tools.testCall"] = () => new Refused("mcp.bridge_internal_error", undefined, "Toolgate failed.");
  assert.deepEqual(await tools.testCall(CALL), {
    outcome: "outcome_unknown",
    code: "mcp.call_response_failed",
    message: "Toolgate failed. The call may have been carried out.",
  });
  host.answers["tools.startTestCall"] = () => new Refused("mcp.host_stopping");
  await assert.rejects(tools.testCall(CALL), { code: "mcp.host_stopping" });
});
