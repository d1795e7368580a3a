// The manager API over a function that carries a string each way.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createMcpApi, overFunction } from "../src/abi/index.ts";

interface Request {
  id: number;
  method: string;
}

function over(answer: (request: Request) => unknown) {
  return createMcpApi({
    transport: overFunction(async (message) => JSON.stringify(await answer(JSON.parse(message) as Request))),
  });
}

const LIST = { servers: [], storageIssues: [] };
const CALL = { registrationId: "i", nativeName: "n", argumentsJson: "{}" };

test("it is ready at once, and each answer finds its request in any order", async () => {
  let first: (() => void) | undefined;
  const { mcp, ready } = over(({ id, method }) => {
    if (method === "servers.list") {
      return new Promise((resolve) => (first = () => resolve({ jsonrpc: "2.0", id, result: LIST })));
    }
    return { jsonrpc: "2.0", id, result: null };
  });
  await ready;
  const listed = mcp.servers.list();
  await mcp.servers.remove("i");
  first?.();
  assert.deepEqual(await listed, LIST);
});

test("the host's events are taken, whatever they are", async () => {
  let emit: (message: string) => void = () => assert.fail("nobody listens");
  const { mcp } = createMcpApi({
    transport: overFunction(
      async (message) => {
        const { id } = JSON.parse(message) as Request;
        emit('{"jsonrpc":"2.0","method":"host.changed","params":{"area":"servers"}}');
        emit("no JSON");
        return JSON.stringify({ jsonrpc: "2.0", id, result: LIST });
      },
      (onMessage) => (emit = onMessage),
    ),
  });
  assert.deepEqual(await mcp.servers.list(), LIST);
});

test("a function that fails loses its own message and no other; the reason is the error's cause", async () => {
  const reason = new Error("command not found");
  let release: (() => void) | undefined;
  const { mcp } = over(async ({ id, method }) => {
    if (method === "servers.remove") throw reason;
    await new Promise<void>((resolve) => (release = resolve));
    return { jsonrpc: "2.0", id, result: LIST };
  });
  const listed = mcp.servers.list();
  await assert.rejects(mcp.servers.remove("i"), { code: "mcp.host_connection_lost", cause: reason });
  release?.();
  assert.deepEqual(await listed, LIST);
});

test("a function that fails under a call leaves its outcome unknown, and is not called again", async () => {
  const methods: string[] = [];
  const { mcp } = over(({ id, method }) => {
    methods.push(method);
    if (method === "tools.testCall") throw new Error("the window was closed");
    return { jsonrpc: "2.0", id, result: null };
  });
  const outcome = await mcp.tools.testCall(CALL);
  assert.equal(outcome.outcome, "outcome_unknown");
  assert.deepEqual(methods, ["tools.startTestCall", "tools.testCall"]);
});

test("an error that names no request is the answer to the one that was carried", async () => {
  const data = { code: "mcp.bridge_message_too_large", message: "The message has 9 bytes; at most 8 are taken." };
  const { mcp } = over(({ id, method }) =>
    method === "tools.startTestCall"
      ? { jsonrpc: "2.0", id, result: null }
      : { jsonrpc: "2.0", id: null, error: { code: -32600, message: data.message, data } },
  );
  await assert.rejects(mcp.servers.list(), { code: data.code, message: data.message });
  assert.deepEqual(await mcp.tools.testCall(CALL), {
    outcome: "not_sent",
    code: "mcp.call_arguments_size_limit",
    message: data.message,
  });
});

test("what is no answer of the bridge is said to be none", async () => {
  for (const answer of ["text", null, 7, [], {}, { id: 99, result: 1 }]) {
    const { mcp } = over(() => answer);
    await assert.rejects(mcp.servers.list(), { code: "mcp.bridge_internal_error" });
  }
});
