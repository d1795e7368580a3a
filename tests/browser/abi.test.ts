// The manager API (manager contract §1 to §6) as an extension meets it: every method of the declaration against the real
// program and a real server, in Toolgate's own page and in a page of another site.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import type { McpDiscoveryResult, McpServer, McpTestCallOutcome } from "../../web/src/abi/tauritavern-mcp.d.ts";
import { startCallServer, type CallServer } from "./support/call-server.ts";
import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { call, codeOf, listed, otherPage, ownPage, ready, rejection } from "./support/manager-api.ts";
import { startOtherSite, type OtherSite } from "./support/other-site.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;
let calls: CallServer;
let site: OtherSite;
let data: DataFolder;
let toolgate: Toolgate;

before(async () => {
  [browser, everything, calls, site, data] = await Promise.all([
    launch(),
    startEverything(),
    startCallServer(),
    startOtherSite(),
    dataFolder(),
  ]);
  toolgate = await serve(data.path, { allowOrigin: site.origin });
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await Promise.all([everything?.stop(), calls?.stop(), site?.stop()]);
  await data?.remove();
});

const inOwnPage = () => ownPage(browser, toolgate.address);
const inOtherPage = () => otherPage(browser, toolgate.address, site);

for (const [where, open] of [
  ["Toolgate's own page", inOwnPage],
  ["a page of another site", inOtherPage],
] as const) {
  describe(where, () => {
    let page: Page;

    before(async () => {
      page = await open();
      await ready(page);
    });
    after(() => page?.close());

    test("a server from its creation to its removal", async () => {
      const url = everything.url;
      const created = await page.evaluate(
        (endpoint) => window.__TAURITAVERN__.api.mcp.servers.create({ displayName: " Every  thing ", endpoint }),
        url.replace("http://127", "HTTP://127"),
      );
      const { id } = created;
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const fresh: McpServer = {
        id,
        displayName: created.displayName,
        endpoint: url,
        headers: {},
        protocolVersion: "auto",
        state: "paused",
        toolPermissions: {},
        toolDescriptionOverrides: {},
      };
      assert.deepEqual(created, fresh);
      assert.deepEqual(await listed(page, id), fresh);
      const paused = await rejection(page, "servers.discover", `'${id}'`);
      assert.equal(paused?.code, "mcp.server_paused");

      const { renamed, active, found } = await page.evaluate(async (server) => {
        const { servers } = window.__TAURITAVERN__.api.mcp;
        const { id: registrationId, endpoint } = server;
        const renamed = await servers.update({
          registrationId,
          displayName: "everything",
          endpoint,
          headers: { "X-Key": "verbatim \t value", "x-key": "2" },
          protocolVersion: "2025-11-25",
        });
        const active = await servers.setState({ registrationId, state: "active" });
        return { renamed, active, found: await servers.discover(registrationId) };
      }, created);
      const updated: McpServer = {
        ...fresh,
        displayName: "everything",
        headers: { "X-Key": "verbatim \t value", "x-key": "2" },
        protocolVersion: "2025-11-25",
      };
      assert.deepEqual(renamed, updated);
      assert.deepEqual(active, { ...updated, state: "active" });
      checkDiscovery(found, id);

      const { asked, stale, off } = await page.evaluate(async (registrationId) => {
        const { servers, tools } = window.__TAURITAVERN__.api.mcp;
        await tools.setPermission({ registrationId, nativeName: "gone", permission: "allow" });
        const asked = await tools.setPermission({ registrationId, nativeName: "echo", permission: "ask" });
        const stale = await servers.refresh({ registrationId });
        await tools.setPermission({ registrationId, nativeName: "gone", permission: "off" });
        const off = await tools.setPermission({ registrationId, nativeName: "echo", permission: "off" });
        return { asked, stale, off };
      }, id);
      assert.deepEqual(asked.toolPermissions, { echo: "ask", gone: "allow" });
      assert.equal(stale.tools.find(({ nativeName }) => nativeName === "echo")?.permission, "ask");
      assert.deepEqual(stale.staleTools, [{ nativeName: "gone", permission: "allow" }]);
      assert.deepEqual(off.toolPermissions, {});

      const override = { description: " verbatim \n", properties: { message: "" } };
      const { overridden, unchanged, removed } = await page.evaluate(
        async ([registrationId, override]) => {
          const { servers, tools } = window.__TAURITAVERN__.api.mcp;
          const tool = { registrationId, nativeName: "echo" };
          const overridden = await tools.setDescriptionOverride({ ...tool, override });
          const unchanged = await servers.discover(registrationId);
          return { overridden, unchanged, removed: await tools.setDescriptionOverride({ ...tool, override: null }) };
        },
        [id, override] as const,
      );
      assert.deepEqual(overridden.toolDescriptionOverrides, { echo: override });
      assert.deepEqual(unchanged.tools, found.tools);
      assert.deepEqual(removed.toolDescriptionOverrides, {});

      assert.equal(
        await page.evaluate((registrationId) => window.__TAURITAVERN__.api.mcp.servers.remove({ registrationId }), id),
        undefined,
      );
      assert.equal(await listed(page, id), undefined);
      assert.equal((await rejection(page, "servers.remove", `'${id}'`))?.code, "mcp.registration_not_found");
    });

    test("a test call: known, not sent, cancelled, and one call on the wire for each", async () => {
      const id = await callServer();
      const before = calls.calls.length;
      const text = '{"z": 1, "n": 9007199254740993, "a": 1.10}';
      assert.deepEqual(await call(page, id, "answer", text), {
        outcome: "known_response",
        response: {
          kind: "tool_result",
          isError: false,
          textBlocks: [{ index: 0, text: "done" }],
          diagnostics: [],
        },
      });
      assert.equal(calls.calls.length, before + 1);
      const wire = calls.calls.at(-1)?.replace(/\s/g, "") ?? "";
      assert.ok(wire.includes(text.replace(/\s/g, "")), wire);

      for (const [text, code] of [
        ["{", "mcp.call_arguments_invalid_json"],
        ["[]", "mcp.call_arguments_not_object"],
        [JSON.stringify({ a: "x".repeat(256 * 1024) }), "mcp.call_arguments_size_limit"],
        [JSON.stringify({ a: "x".repeat(9 * 1024 * 1024) }), "mcp.call_arguments_size_limit"],
      ] as const) {
        assert.deepEqual(codeOf(await call(page, id, "answer", text)), ["not_sent", code]);
      }
      const aborted = await page.evaluate(
        (registrationId) =>
          window.__TAURITAVERN__.api.mcp.tools.testCall(
            { registrationId, nativeName: "answer", argumentsJson: "{}" },
            { signal: AbortSignal.abort() },
          ),
        id,
      );
      assert.deepEqual(codeOf(aborted), ["not_sent", "mcp.call_cancelled_before_send"]);
      assert.equal(calls.calls.length, before + 1);

      await page.evaluate((registrationId) => {
        const abort = new AbortController();
        const call = { registrationId, nativeName: "wait", argumentsJson: "{}" };
        const outcome = window.__TAURITAVERN__.api.mcp.tools.testCall(call, { signal: abort.signal });
        Object.assign(window, { abort, outcome });
      }, id);
      await calls.called(before + 2);
      const cancelled = await page.evaluate(() => {
        const { abort, outcome } = window as unknown as {
          abort: AbortController;
          outcome: Promise<McpTestCallOutcome>;
        };
        abort.abort();
        return outcome;
      });
      assert.deepEqual(codeOf(cancelled), ["outcome_unknown", "mcp.call_cancelled"]);
      assert.equal(calls.calls.length, before + 2);
    });

    test("a page that goes away under a call neither cancels nor repeats it", async () => {
      const id = await callServer();
      const before = calls.calls.length;
      await page.evaluate((registrationId) => {
        const call = { registrationId, nativeName: "wait", argumentsJson: "{}" };
        void window.__TAURITAVERN__.api.mcp.tools.testCall(call);
      }, id);
      await calls.called(before + 1);
      await page.close();
      page = await open();
      assert.equal((await call(page, id, "answer", "{}")).outcome, "known_response");
      assert.equal(calls.calls.length, before + 2);
    });
  });
}

test("two pages that update one server at once both succeed, and one of them was the last", async () => {
  const [first, second] = await Promise.all([inOwnPage(), inOtherPage()]);
  try {
    const id = await callServer();
    const update = (page: Page, name: string) =>
      page.evaluate(
        async ([registrationId, displayName, endpoint]) => {
          const input = { registrationId, displayName, endpoint, headers: {}, protocolVersion: "2025-11-25" } as const;
          for (let round = 0; round < 5; round++) await window.__TAURITAVERN__.api.mcp.servers.update(input);
        },
        [id, name, calls.url] as const,
      );
    await Promise.all([update(first, "first"), update(second, "second")]);
    assert.match((await listed(first, id))?.displayName ?? "", /^(first|second)$/);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});

/** A server that counts calls, active; made past the page. */
async function callServer(): Promise<string> {
  const config = { type: "http", url: calls.url, protocolVersion: "2025-11-25" };
  const { result, error } = await rpc(data.path, "servers.create", { displayName: "calls", config });
  assert.equal(error, undefined);
  const { id } = result as { id: string };
  await rpc(data.path, "servers.setState", { id, state: "active" });
  return id;
}

function checkDiscovery(found: McpDiscoveryResult, id: string): void {
  const keys = [
    "diagnostics",
    "protocolVersion",
    "registrationId",
    "serverName",
    "serverVersion",
    "staleTools",
    "tools",
  ];
  assert.deepEqual(Object.keys(found).sort(), keys);
  assert.deepEqual([found.registrationId, found.protocolVersion], [id, "2025-11-25"]);
  const echo = found.tools.find(({ nativeName }) => nativeName === "echo");
  assert.ok(echo);
  const known = [
    "id",
    "nativeName",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "permission",
  ];
  for (const tool of found.tools) {
    assert.deepEqual(
      Object.keys(tool).filter((key) => !known.includes(key)),
      [],
    );
    assert.equal(tool.id, `mcp/${id}:${tool.nativeName}`);
    assert.equal(tool.permission, "off");
    for (const value of [tool.inputSchema, tool.annotations]) assert.equal(typeof value, "object");
  }
  assert.equal((echo.inputSchema as { type?: unknown }).type, "object");
}
