// The bridge's client: a request is sent at most once, and what became of it is told apart.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BridgeClient } from "../src/bridge/client.ts";
import { BridgeError, type Problem } from "../src/bridge/problem.ts";
import type { ConnectionState, Transport, TransportHandlers } from "../src/bridge/transport.ts";
import type { HostChanged } from "../src/generated/types.ts";

interface Request {
  id: number;
  method: string;
  params: unknown;
}

/** The other side in the hands of the test. */
class TestTransport implements Transport {
  readonly sent: Request[] = [];
  state: ConnectionState = "connecting";
  private handlers: TransportHandlers | undefined;

  start(handlers: TransportHandlers): void {
    this.handlers = handlers;
    handlers.onState("connecting");
  }
  send(text: string): boolean {
    if (this.state !== "open") return false;
    this.sent.push(JSON.parse(text) as Request);
    return true;
  }
  retryNow(): void {}

  become(state: ConnectionState): void {
    this.state = state;
    this.handlers?.onState(state);
  }
  say(message: unknown): void {
    this.handlers?.onMessage(typeof message === "string" ? message : JSON.stringify(message));
  }
}

function start() {
  const transport = new TestTransport();
  const client = new BridgeClient(transport);
  const changes: HostChanged[] = [];
  client.start({ onState: () => undefined, onChanged: (change) => changes.push(change) });
  return { transport, client, changes };
}

async function problemOf(request: Promise<unknown>): Promise<Problem> {
  try {
    await request;
  } catch (error) {
    assert.ok(error instanceof BridgeError);
    return error.problem;
  }
  return assert.fail("the request gave a result");
}

test("a request made before the first connection is sent once there is one", async () => {
  const { transport, client } = start();
  const request = client.request("servers.list", {});
  assert.equal(transport.sent.length, 0);
  transport.become("open");
  assert.equal(transport.sent.length, 1);
  transport.say({ jsonrpc: "2.0", id: transport.sent[0]?.id, result: { servers: [], storageIssues: [] } });
  assert.deepEqual(await request, { servers: [], storageIssues: [] });
});

test("answers find their requests, whatever their order", async () => {
  const { transport, client } = start();
  transport.become("open");
  const first = client.request("servers.remove", { id: "a" });
  const second = client.request("host.info", {});
  const [one, two] = transport.sent;
  transport.say({ jsonrpc: "2.0", id: two?.id, result: { version: "2" } });
  transport.say({ jsonrpc: "2.0", id: one?.id, result: null });
  assert.equal(await first, null);
  assert.deepEqual(await second, { version: "2" });
});

test("a request that was sent when the connection broke is lost, and never sent again", async () => {
  const { transport, client } = start();
  transport.become("open");
  const request = problemOf(client.request("servers.refresh", { id: "a" }));
  transport.become("lost");
  assert.deepEqual(await request, { kind: "lost" });
  transport.become("open");
  assert.equal(transport.sent.length, 1);
});

test("without a connection nothing is sent, and that is said", async () => {
  const { transport, client } = start();
  const waiting = problemOf(client.request("host.info", {}));
  transport.become("lost");
  assert.deepEqual(await waiting, { kind: "offline" });
  assert.deepEqual(await problemOf(client.request("host.info", {})), { kind: "offline" });
  transport.become("open");
  assert.equal(transport.sent.length, 0);
});

test("an error of the domain comes with its code and every reason", async () => {
  const { transport, client } = start();
  transport.become("open");
  const request = problemOf(client.request("servers.discover", { id: "a" }));
  const data = { code: "mcp.server_paused", message: "The server is paused.", others: [] };
  transport.say({ jsonrpc: "2.0", id: transport.sent[0]?.id, error: { code: -32000, message: "x", data } });
  assert.deepEqual(await request, { kind: "refused", refusal: data });
});

test("an error without a code of the domain is no answer of this bridge", async () => {
  const { transport, client } = start();
  transport.become("open");
  const request = problemOf(client.request("host.info", {}));
  transport.say({ jsonrpc: "2.0", id: transport.sent[0]?.id, error: { code: -32603, message: "internal" } });
  assert.deepEqual(await request, { kind: "broken", message: "internal" });
});

test("events reach the listener; what is no message of the bridge is passed over", () => {
  const { transport, changes } = start();
  transport.become("open");
  transport.say({ jsonrpc: "2.0", method: "host.changed", params: { area: "servers", id: "a" } });
  transport.say("no JSON");
  transport.say([1]);
  transport.say({ jsonrpc: "2.0", id: 99, result: null });
  assert.deepEqual(changes, [{ area: "servers", id: "a" }]);
});
