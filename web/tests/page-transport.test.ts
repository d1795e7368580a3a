// The page's transport: the IPC of an application's WebView where there is one, else the WebSocket; and the same API over
// an IPC that answers and over one that does not.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mcpApi } from "../src/abi/install.ts";
import { BridgeClient } from "../src/bridge/client.ts";
import { FunctionTransport } from "../src/bridge/function.ts";
import { pageTransport, type HostIpc } from "../src/bridge/ipc.ts";
import { WebSocketTransport } from "../src/bridge/websocket.ts";
import type { HostChanged } from "../src/generated/types.ts";

interface Request {
  id: number;
  method: string;
  params: { argumentsJson?: string };
}

/** Echoes what a call was given, and answers everything else with nothing. */
function hostAnswer(message: string): string {
  const { id, method, params } = JSON.parse(message) as Request;
  const answered = { textJson: params.argumentsJson };
  return JSON.stringify({ jsonrpc: "2.0", id, result: method === "tools.testCall" ? answered : null });
}

const EVENT = '{"jsonrpc":"2.0","method":"host.changed","params":{"area":"servers"}}';

/** A WebView's IPC of each kind, its host in the hands of the test. */
const KINDS: Record<string, () => HostIpc> = {
  "one-way": () => {
    const ipc: HostIpc = {
      post: (message) => {
        setImmediate(() => ipc.receive?.(hostAnswer(message)));
      },
    };
    return ipc;
  },
  "that answers at once": () => {
    const ipc: HostIpc = { post: (message) => ipc.receive?.(hostAnswer(message)) };
    return ipc;
  },
  "with promises": () => ({ post: async (message) => hostAnswer(message) }),
};

function start(ipc: HostIpc) {
  const bridge = new BridgeClient(pageTransport({ __TOOLGATE_IPC__: ipc }));
  const changes: HostChanged[] = [];
  bridge.start({ onState: () => undefined, onChanged: (change) => changes.push(change) });
  return { bridge, changes };
}

test("without an IPC it is the WebSocket of the page's own host", () => {
  const page = globalThis as { location?: { href: string } };
  page.location = { href: "http://127.0.0.1:7640/#server" };
  try {
    assert.ok(pageTransport({}) instanceof WebSocketTransport);
    assert.ok(pageTransport() instanceof WebSocketTransport);
  } finally {
    delete page.location;
  }
  assert.ok(pageTransport({ __TOOLGATE_IPC__: { post: () => undefined } }) instanceof FunctionTransport);
});

for (const [kind, ipc] of Object.entries(KINDS)) {
  test(`over an IPC ${kind}: a thousand requests at once each get their own answer`, async () => {
    const { bridge } = start(ipc());
    const call = (argumentsJson: string) =>
      bridge.request("tools.testCall", { id: "i", nativeName: "n", argumentsJson });
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, number) => call(String(number))));
    answers.forEach((answer, number) => assert.deepEqual(answer, { textJson: String(number) }));
  });

  test(`over an IPC ${kind}: 4 MiB there and back are the same 4 MiB`, async () => {
    const { bridge } = start(ipc());
    // Of every kind: one byte, three bytes, a pair, what JSON and JavaScript escape.
    const argumentsJson = JSON.stringify('a\u4e2d\ud83d\ude00"\\\u2028\n'.repeat((4 << 20) / 16));
    assert.ok(new TextEncoder().encode(argumentsJson).length >= 4 << 20);
    const answer = await bridge.request("tools.testCall", { id: "i", nativeName: "n", argumentsJson });
    assert.deepEqual(answer, { textJson: argumentsJson });
  });

  test(`over an IPC ${kind}: events are taken`, () => {
    const own = ipc();
    const { changes } = start(own);
    own.receive?.(EVENT);
    own.receive?.("no JSON");
    assert.deepEqual(changes, [{ area: "servers" }]);
  });
}

test("the manager API is the same", async () => {
  const { bridge } = start({ post: async (message) => hostAnswer(message) });
  await bridge.opened;
  await mcpApi(bridge).servers.remove("i");
  await assert.rejects(mcpApi(bridge).servers.remove(1 as unknown as string), { code: "mcp.bridge_params_invalid" });
});

test("an IPC that throws, and one that rejects, lose that message alone", async () => {
  for (const fail of [
    () => Promise.reject(new Error("closed")),
    (): never => {
      throw new Error("closed");
    },
  ]) {
    const { bridge } = start({
      post: (message) => (message.includes("host.info") ? fail() : Promise.resolve(hostAnswer(message))),
    });
    await assert.rejects(
      bridge.request("host.info", {}),
      (error: Error) => (error.cause as Error).message === "closed",
    );
    assert.equal(await bridge.request("servers.remove", { id: "i" }), null);
  }
});

test("a message that the host would not take is refused before it is handed over", async () => {
  const { bridge } = start({ post: () => assert.fail("it was handed over") });
  const params = { id: "i", nativeName: "n", argumentsJson: "x".repeat(8 << 20) };
  await assert.rejects(bridge.request("tools.testCall", params), /mcp\.bridge_message_too_large/);
});

test("an answer to what an earlier page asked is nobody's", async () => {
  const ids: number[] = [];
  const late: HostIpc = {
    post: (message) => {
      ids.push((JSON.parse(message) as Request).id);
    },
  };
  const before = start(late);
  void before.bridge.request("servers.list", {});
  const after = start(late);
  const asked = after.bridge.request("servers.remove", { id: "i" });
  const [first, second] = ids;
  assert.notEqual(first, second);
  late.receive?.(JSON.stringify({ jsonrpc: "2.0", id: first, result: "of the page before" }));
  late.receive?.(JSON.stringify({ jsonrpc: "2.0", id: second, result: null }));
  assert.equal(await asked, null);
});
