// examples/webview in Debian's WebKitGTK, on a screen that nobody sees: the page by a protocol of the program's own, the
// bridge by the WebView's IPC, no port; and nothing lost or left over when its window is closed.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";

import type { TauriTavernMcpApi } from "../../web/src/abi/tauritavern-mcp.d.ts";
import { startCallServer } from "../browser/support/call-server.ts";
import { startEverything, type Everything } from "../browser/support/everything.ts";
import { startDisplay, type Display } from "./support/display.ts";
import { driveExample, owner, savedServers, startExample, until } from "./support/example.ts";
import { ended, family, listening, running } from "./support/processes.ts";
import type { DrivenPage } from "./support/webdriver.ts";

interface Ipc {
  post(message: string): void;
  receive?: (message: string) => void;
}

declare global {
  interface Window {
    __TAURITAVERN__: { api: { mcp: TauriTavernMcpApi }; ready: Promise<unknown> };
    __TOOLGATE_IPC__: Ipc;
    /** What a test leaves in the page for its next script. */
    left: { acknowledged: number; outcome?: string };
  }
}

let display: Display;
let everything: Everything;
let data: string;
let page: DrivenPage;

const newData = (): Promise<string> => mkdtemp(join(tmpdir(), "toolgate-webview-"));
const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });

before(async () => {
  [display, everything, data] = await Promise.all([startDisplay(), startEverything(), newData()]);
  page = await driveExample(display.name, data);
});

beforeEach(() => page.reload());

after(async () => {
  await page?.stop();
  await display?.stop();
  await everything?.stop();
  await remove(data);
});

test("core's WebAssembly checks what is typed", async () => {
  await page.shows("Exa Search");
  await page.evaluate(() => {
    const add = [...document.querySelectorAll("button")].find(({ innerText }) => innerText.trim() === "Add server");
    add?.click();
  });
  await page.shows("One server: an object");
  await page.evaluate(() => document.querySelector<HTMLElement>("dialog [data-tab=form]")?.click());
  await page.shows("Endpoint");
  await page.evaluate(() => {
    const endpoint = document.querySelector<HTMLInputElement>("dialog input[inputmode=url]");
    if (!endpoint) throw new Error("there is no field for the endpoint");
    endpoint.value = "ftp://example.com";
    endpoint.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.shows("Use an endpoint that starts with https:// or http://.");
});

test("the page is kept to the same policy as in a browser, and the window to the page", async () => {
  const refused = await page.evaluate(async (elsewhere) => {
    const violations: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    const run = (text: string): string => {
      try {
        return String(new Function(text)());
      } catch (error) {
        return (error as Error).name;
      }
    };
    const script = document.createElement("script");
    script.textContent = "window.inline = true";
    document.head.append(script);
    const fetched = await fetch(elsewhere, { mode: "no-cors" }).then(
      () => "fetched",
      () => "refused",
    );
    const opened = window.open(elsewhere);
    return { run: run("return 1"), inline: "inline" in window, fetched, opened: opened !== null, violations };
  }, everything.url);
  assert.equal(refused.run, "EvalError");
  assert.equal(refused.inline, false);
  assert.equal(refused.fetched, "refused");
  assert.equal(refused.opened, false);
  assert.ok(refused.violations.includes("connect-src"), refused.violations.join());

  await page.evaluate((elsewhere) => void (location.href = elsewhere), everything.url);
  for (let turn = 0; turn < 20; turn++) {
    const here = await page.evaluate(() =>
      window.__TAURITAVERN__.api.mcp.servers.list().then(({ servers }) => [location.href, servers.length] as const),
    );
    assert.deepEqual(here, ["toolgate://localhost/", 1]);
  }
});

test("a real server is added, read and called over IPC, and an event brings it into the page", async () => {
  await page.shows("Exa Search");
  const found = await page.evaluate(async (endpoint) => {
    await window.__TAURITAVERN__.ready;
    const { mcp } = window.__TAURITAVERN__.api;
    const events: string[] = [];
    const ipc = window.__TOOLGATE_IPC__;
    const { receive } = ipc;
    ipc.receive = (message) => {
      if (message.includes('"host.changed"')) events.push(message);
      receive?.(message);
    };
    const { id: registrationId } = await mcp.servers.create({ displayName: "everything", endpoint });
    await mcp.servers.setState({ registrationId, state: "active" });
    const { tools } = await mcp.servers.discover(registrationId);
    const outcome = await mcp.tools.testCall({
      registrationId,
      nativeName: "echo",
      argumentsJson: '{"message": "over IPC"}',
    });
    return { registrationId, tools: tools.map(({ nativeName }) => nativeName), outcome, events };
  }, everything.url);
  assert.ok(found.tools.includes("echo"), found.tools.join());
  assert.equal(found.outcome.outcome, "known_response");
  assert.match(JSON.stringify(found.outcome), /Echo: over IPC/);
  const about = JSON.parse(found.events[0] ?? "null") as { params: { area: string; id: string } } | null;
  assert.deepEqual(about?.params, { area: "servers", id: found.registrationId });
  // The API keeps nothing in the page's state; the page read the list again because it was told to.
  await page.shows("everything");
  assert.equal((await savedServers(data)).get(found.registrationId), "everything");
});

test("4 MiB there and 4 MiB back are the same text", async () => {
  const carried = await page.evaluate(async () => {
    // One byte, three, four, and what JSON and JavaScript write in other ways. The host gives a request's id back as it
    // was spelled.
    const id = 'a\u4e2d\u{1f600}"\\\u2028\n</script>'.repeat(4 << 16);
    const message = JSON.stringify({ jsonrpc: "2.0", id, method: "host.info" });
    const ipc = window.__TOOLGATE_IPC__;
    const answer = await new Promise<string>((resolve) => {
      // What the page itself has asked for may be answered now, too.
      ipc.receive = (text) => {
        if (text.length > 1 << 20) resolve(text);
      };
      ipc.post(message);
    });
    const { id: back, result } = JSON.parse(answer) as { id: string; result?: object };
    const bytes = (text: string): number => new TextEncoder().encode(text).length;
    return { sent: bytes(message), received: bytes(answer), same: back === id, answered: result !== undefined };
  });
  assert.ok(carried.sent >= 4 << 20 && carried.received >= 4 << 20, JSON.stringify(carried));
  assert.ok(carried.same && carried.answered);
});

test("a thousand requests at once are each answered once", async () => {
  const answered = await page.evaluate(async () => {
    const ipc = window.__TOOLGATE_IPC__;
    const ids: number[] = [];
    await new Promise<void>((resolve) => {
      ipc.receive = (message) => {
        const { id, result } = JSON.parse(message) as { id?: unknown; result?: object };
        const number = typeof id === "string" && /^thousand-(\d+)$/.exec(id)?.[1];
        // What the page itself has asked for may be answered now, too.
        if (!number || result === undefined) return;
        ids.push(Number(number));
        if (ids.length === 1000) resolve();
      };
      for (let id = 0; id < 1000; id++) {
        ipc.post(JSON.stringify({ jsonrpc: "2.0", id: `thousand-${id}`, method: "servers.list" }));
      }
    });
    return ids;
  });
  assert.deepEqual(
    answered.sort((a, b) => a - b),
    Array.from({ length: 1000 }, (_, id) => id),
  );
});

test("while the driver is there, the port it asked for is the only one; without it there is none", async () => {
  const driven = await listening(await family(await owner(data)));
  assert.equal(driven.length, 1, driven.join());

  const own = await newData();
  const example = startExample(display.name, own);
  try {
    // The page's first requests are to show the recommended server, which the host then saves: page, core and IPC work.
    await until("the page has spoken to the host", async () => (await savedServers(own)).size === 1);
    const all = await family(example.pid);
    assert.ok(all.length > 1, "WebKit has processes of its own");
    assert.deepEqual(await listening(all), []);
  } finally {
    example.kill();
    await example.exited;
    await remove(own);
  }
});

test("a second one on the same data says who has it", async () => {
  const second = startExample(display.name, data);
  assert.equal(await second.exited, 1);
  assert.match(second.said(), new RegExp(`process id ${await owner(data)}`));
});

test("a window that is closed during writes and a call loses nothing that was answered, and leaves nothing running", async () => {
  const own = await newData();
  const server = await startCallServer();
  const closing = await driveExample(display.name, own);
  try {
    await closing.shows("Exa Search");
    const pid = await owner(own);
    await closing.evaluate(async (endpoint) => {
      const { mcp } = window.__TAURITAVERN__.api;
      const { id: registrationId } = await mcp.servers.create({
        displayName: "calls",
        endpoint,
        protocolVersion: "2025-11-25",
      });
      await mcp.servers.setState({ registrationId, state: "active" });
      await mcp.servers.discover(registrationId);
      window.left = { acknowledged: 0 };
      void mcp.tools.testCall({ registrationId, nativeName: "wait", argumentsJson: "{}" }).then(({ outcome }) => {
        window.left.outcome = outcome;
      });
    }, server.url);
    await server.called(1);
    // One write after another until the window is gone.
    const known = await closing.evaluate(async (endpoint) => {
      const { mcp } = window.__TAURITAVERN__.api;
      const { id: registrationId } = await mcp.servers.create({ displayName: "version 0", endpoint });
      const write = (version: number) => {
        const displayName = `version ${version}`;
        return mcp.servers.update({ registrationId, displayName, endpoint, headers: {}, protocolVersion: "auto" });
      };
      await write(1);
      window.left.acknowledged = 1;
      void (async () => {
        for (let version = 2; ; version++) {
          await write(version);
          window.left.acknowledged = version;
        }
      })();
      return registrationId;
    }, server.url);
    const all = await family(pid);
    const { acknowledged, outcome } = await closing.evaluate(() => window.left);
    await display.closeWindow("Toolgate");
    assert.equal(outcome, undefined);
    await ended(all);
    assert.deepEqual(await running(all), []);
    // It ended by itself and let go of the data.
    assert.ok(!existsSync(join(own, "host.json")));

    const saved = await savedServers(own);
    assert.deepEqual([...saved.values()].filter((name) => !name.startsWith("version")).sort(), ["Exa Search", "calls"]);
    const version = Number(saved.get(known)?.replace("version ", ""));
    assert.ok(version >= acknowledged, `version ${acknowledged} was acknowledged, ${version} is saved`);
    assert.equal(server.calls.length, 1);

    // Who comes next finds everything, and calls nothing again.
    const next = startExample(display.name, own);
    try {
      await until("the next one owns the data", () =>
        owner(own).then(
          (pid) => pid === next.pid,
          () => false,
        ),
      );
      await until("its window is there", () =>
        display.closeWindow("Toolgate").then(
          () => true,
          () => false,
        ),
      );
      assert.equal(await next.exited, 0);
    } finally {
      next.kill();
    }
    assert.deepEqual(await savedServers(own), saved);
    assert.equal(server.calls.length, 1);
  } finally {
    await closing.stop();
    await server.stop();
    await remove(own);
  }
});
