// The main job, as a person does it: add a server by its JSON, see the exact endpoint, activate it, read its tools, allow
// one; then everything is still there after a reload, and after both programs were stopped, without any network.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { ask, dataFolder, rpc, serve } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;

before(async () => {
  [browser, everything] = await Promise.all([launch(), startEverything()]);
});

after(async () => {
  await browser?.close();
  await everything?.stop();
});

/** A page that fails the test on any error in its console. */
async function open(address: string): Promise<{ page: Page; errors: string[]; close(): Promise<void> }> {
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  return { page, errors, close: () => context.close() };
}

test("add by JSON, activate, read the tools, allow one; all is kept without any network", async () => {
  const data = await dataFolder();
  let toolgate = await serve(data.path);
  let tab = await open(toolgate.address);
  try {
    let { page } = tab;
    await page.getByRole("button", { name: "Add server" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add server" });
    await dialog.getByRole("tab", { name: "JSON" }).click();
    const json = { mcpServers: { everything: { type: "http", url: everything.url } } };
    await dialog.locator(".cm-content").fill(JSON.stringify(json, null, 2));
    await dialog.getByRole("button", { name: "Add server" }).click();
    await dialog.waitFor({ state: "hidden" });

    // Nothing connects before a person has seen the exact endpoint and activated the server.
    await page.getByRole("button", { name: "Activate and connect" }).first().click();
    const activate = page.getByRole("dialog", { name: /Activate/ });
    await activate.getByText(everything.url).first().waitFor();
    await activate.getByRole("button", { name: "Activate and connect" }).click();

    const echo = page.getByRole("radiogroup", { name: "echo" });
    await echo.waitFor();
    await echo.getByRole("radio", { name: "Allow" }).click();
    await echo.getByRole("radio", { name: "Allow", checked: true }).waitFor();

    await page.reload();
    await page.getByRole("radiogroup", { name: "echo" }).getByRole("radio", { name: "Allow", checked: true }).waitFor();

    // What lies on disk are the two version 1 records, and the connection, which is kept apart.
    const folder = join(data.path, "_tauritavern/mcp");
    const [name] = await readdir(join(folder, "registrations"));
    assert.match(name ?? "", /^[0-9a-f-]{36}\.json$/);
    const registration = JSON.parse(await readFile(join(folder, "registrations", name ?? ""), "utf8"));
    assert.deepEqual(registration, {
      schemaVersion: 1,
      kind: "tauritavern.mcpServerRegistration",
      id: name?.slice(0, 36),
      displayName: "everything",
      endpoint: "{{DSH_MCP_SAVED:url}}",
      protocolVersion: "auto",
      state: "active",
      toolPermissions: { echo: "allow" },
    });
    const record = JSON.parse(await readFile(join(data.path, "credentials/dsh-partner-mcp.json"), "utf8"));
    assert.equal(record.servers[registration.id ?? ""].url, everything.url);
    assert.deepEqual(await readdir(join(folder, "catalogs")), [name]);

    assert.deepEqual(tab.errors, []);
    await tab.close();
    assert.equal(await toolgate.stop(), 0);
    await everything.stop();

    toolgate = await serve(data.path);
    tab = await open(toolgate.address);
    ({ page } = tab);
    await page.getByText("everything").first().click();
    await page.getByRole("radiogroup", { name: "echo" }).getByRole("radio", { name: "Allow", checked: true }).waitFor();
    assert.deepEqual(tab.errors, []);
  } finally {
    await tab.close();
    await toolgate.stop();
    await everything.stop();
    await data.remove();
    everything = await startEverything();
  }
});

interface Listed {
  readonly servers: readonly {
    id: string;
    state: string;
    toolPermissions: Record<string, string>;
    toolCount?: number;
  }[];
  readonly storageIssues: readonly unknown[];
}

test("`toolgate rpc` does the same, alone and through a running host", async () => {
  const data = await dataFolder();
  const call = <T>(method: string, params: unknown): Promise<T> => ask<T>(data.path, method, params);
  try {
    const config = { type: "http", url: everything.url };
    const { id } = await call<{ id: string }>("servers.create", { displayName: "everything", config });
    const paused = await rpc(data.path, "servers.discover", { id });
    assert.equal(paused.code, 1);
    assert.match(JSON.stringify(paused.error), /mcp\.server_paused/);

    await call("servers.setState", { id, state: "active" });
    const found = await call<{ tools: { nativeName: string; permission: string }[] }>("servers.discover", { id });
    assert.ok(found.tools.some((tool) => tool.nativeName === "echo" && tool.permission === "off"));
    await call("tools.setPermission", { id, nativeName: "echo", permission: "ask" });

    const toolgate = await serve(data.path);
    try {
      await call("tools.setPermission", { id, nativeName: "echo", permission: "allow" });
      const listed = await call<Listed>("servers.list", {});
      assert.equal(listed.servers.length, 1);
      assert.deepEqual(listed.servers[0]?.toolPermissions, { echo: "allow" });
      assert.equal(listed.servers[0]?.state, "active");
      assert.equal(listed.servers[0]?.toolCount, found.tools.length);
    } finally {
      assert.equal(await toolgate.stop(), 0);
    }
  } finally {
    await data.remove();
  }
});
