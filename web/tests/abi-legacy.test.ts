// Tools for Legacy chats over a host in memory: what is listed, and a call under a UUID of its own. What can come in
// between is one course with test calls (abi-tools.test.ts).

import assert from "node:assert/strict";
import { test } from "node:test";

import { createMcpApi } from "../src/abi/index.ts";
import { MemoryHost } from "./support/memory-host.ts";

const CALL = { toolId: "mcp/8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a:first", argumentsJson: '{"n":9007199254740993}' };

function start() {
  const host = new MemoryHost();
  host.answers["legacy.startCall"] = () => null;
  host.answers["legacy.cancel"] = () => null;
  const { legacy } = createMcpApi({ transport: host });
  host.become("open");
  return { host, legacy };
}

test("the tools are those of the host", async () => {
  const { host, legacy } = start();
  const listed = { tools: [], diagnostics: [{ code: "mcp.tool_server_paused", message: "Paused." } as const] };
  host.answers["legacy.listTools"] = () => listed;
  assert.deepEqual(await legacy.listTools(), listed);
});

test("each call is announced and handed over under a UUID of its own", async () => {
  const { host, legacy } = start();
  const outcome = { outcome: "not_sent", code: "mcp.call_permission_off", message: "Off." } as const;
  host.answers["legacy.call"] = () => outcome;
  assert.deepEqual(await legacy.call(CALL), outcome);
  await legacy.call(CALL);
  const ids = host.of("legacy.startCall").map(({ params }) => (params as { executionCallId: string }).executionCallId);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, 2);
  assert.deepEqual(
    host.of("legacy.call").map(({ params }) => params),
    ids.map((executionCallId) => ({ executionCallId, ...CALL })),
  );
});

test("an abort cancels the call, and a lost connection leaves it unknown", async () => {
  const { host, legacy } = start();
  const abort = new AbortController();
  const outcome = legacy.call(CALL, { signal: abort.signal });
  const handed = await host.request("legacy.call");
  abort.abort();
  const { executionCallId } = handed.params as { executionCallId: string };
  assert.deepEqual((await host.request("legacy.cancel")).params, { executionCallId });
  host.become("lost");
  const { outcome: kind, ...failure } = await outcome;
  assert.equal(kind, "outcome_unknown");
  assert.equal("code" in failure && failure.code, "mcp.call_response_failed");
});
