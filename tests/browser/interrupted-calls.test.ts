// What goes wrong between the page and the host during a call: whatever it is, the server receives the call once.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import type { McpTestCallOutcome } from "../../web/src/abi/tauritavern-mcp.d.ts";
import { startCallServer, type CallServer } from "./support/call-server.ts";
import { launch } from "./support/chromium.ts";
import { startCuttingProxy, type CuttingProxy } from "./support/cutting-proxy.ts";
import { call, codeOf, ownPage, ready } from "./support/manager-api.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let calls: CallServer;
let data: DataFolder;
let proxy: CuttingProxy;
let toolgate: Toolgate;
let id: string;
let page: Page;

before(async () => {
  [browser, calls, data, proxy] = await Promise.all([launch(), startCallServer(), dataFolder(), startCuttingProxy()]);
  toolgate = await serve(data.path, { allowHost: proxy.host });
  const { port, searchParams } = new URL(toolgate.address);
  proxy.to(Number(port));

  const config = { type: "http", url: calls.url, protocolVersion: "2025-11-25" };
  const { result } = await rpc(data.path, "servers.create", { displayName: "calls", config });
  ({ id } = result as { id: string });
  await rpc(data.path, "servers.setState", { id, state: "active" });

  page = await ownPage(browser, `http://${proxy.host}/?token=${searchParams.get("token")}`);
  await ready(page);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await Promise.all([calls?.stop(), proxy?.stop()]);
  await data?.remove();
});

/** Begins a call that the server never answers; what came of it is then in `window.outcome`. */
async function beginCall(): Promise<void> {
  const count = calls.calls.length;
  await page.evaluate((registrationId) => {
    const call = { registrationId, nativeName: "wait", argumentsJson: "{}" };
    Object.assign(window, { outcome: window.__TAURITAVERN__.api.mcp.tools.testCall(call) });
  }, id);
  await calls.called(count + 1);
}

/** Makes a call that is answered: whatever the host still had to do for one before it has been done by then. */
async function callAnswered(): Promise<void> {
  const outcome = await call(page, id, "answer", "{}");
  assert.equal(outcome.outcome, "known_response", JSON.stringify(outcome));
}

/** Cuts every connection, and answers when the page has found its host again by itself. */
async function cut(): Promise<void> {
  const socket = page.waitForEvent("websocket");
  proxy.cut();
  await (await socket).waitForEvent("framereceived");
}

test("a reload during a call", async () => {
  const count = calls.calls.length;
  await beginCall();
  await page.reload();
  await ready(page);
  await callAnswered();
  assert.equal(calls.calls.length, count + 2);
});

test("a socket that is lost during a call", async () => {
  const count = calls.calls.length;
  await beginCall();
  const back = cut();
  const outcome = await page.evaluate(() => (window as unknown as { outcome: Promise<McpTestCallOutcome> }).outcome);
  // The page cannot know what came of it, and says so.
  assert.deepEqual(codeOf(outcome), ["outcome_unknown", "mcp.call_response_failed"]);
  await back;
  await callAnswered();
  assert.equal(calls.calls.length, count + 2);
});

test("a POST that the browser sends again by itself", async () => {
  const count = calls.calls.length;
  const post = (method: string, params: unknown) =>
    page.evaluate(
      async ([method, params]) => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
        const key = localStorage.getItem("toolgate.page") ?? "";
        const headers = { "Content-Type": "application/json", "Toolgate-Page-Key": key };
        const answer = await fetch("/rpc", { method: "POST", headers, body });
        return (await answer.json()) as { result?: unknown; error?: { data: { code: string } } };
      },
      [method, params] as const,
    );
  const callId = crypto.randomUUID();
  // The connection is kept alive, and the next request goes out on it: only of such a one a browser takes it that the
  // other end has seen nothing.
  await post("tools.startTestCall", { callId });
  const answering = post("tools.testCall", { callId, id, nativeName: "wait", argumentsJson: "{}" });
  await calls.called(count + 1);
  const back = cut();
  const answer = await answering;
  assert.equal(
    proxy.sent.split(`"method":"tools.testCall","params":{"callId":"${callId}"`).length - 1,
    2,
    "sent again",
  );
  assert.equal(answer.error?.data.code, "mcp.call_already_dispatched", JSON.stringify(answer));
  await back;
  await callAnswered();
  assert.equal(calls.calls.length, count + 2);
});
