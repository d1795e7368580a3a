// Editing a saved server as JSON, and describing tools in one's own words, as a person does both.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { startCallServer } from "./support/call-server.ts";
import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { accessible, becomes, edit, withPage } from "./support/page.ts";
import { freePort } from "./support/process.ts";
import { startSlowServer } from "./support/slow-server.ts";
import { ask, dataFolder, rpc, serve, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;
let data: Awaited<ReturnType<typeof dataFolder>>;
let toolgate: Toolgate;
/** An active server whose tools have been read. */
let readId: string;
/** A paused one with secrets. */
let secretId: string;

const SECRET = "http://user:secret@internal.example/mcp?team=blue";

const call = <T>(method: string, params: unknown): Promise<T> => ask<T>(data.path, method, params);

before(async () => {
  [browser, everything, data] = await Promise.all([launch(), startEverything(), dataFolder()]);
  const create = async (displayName: string, url: string, headers = {}) =>
    (await call<{ id: string }>("servers.create", { displayName, config: { type: "http", url, headers } })).id;
  readId = await create("everything", everything.url);
  secretId = await create("resting", SECRET, { "X-Key": "12345" });
  await call("servers.setState", { id: readId, state: "active" });
  await call("servers.discover", { id: readId });
  // What was written for a tool and a property that are gone.
  await call("tools.setDescriptionOverride", {
    id: readId,
    nativeName: "no-such-tool",
    override: { description: "Gone." },
  });
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await everything?.stop();
  await data?.remove();
});

const inPage = (id: string, use: (page: Page) => Promise<void>): Promise<void> =>
  withPage(browser, toolgate.address, `/#/servers/${id}`, use);

interface Config {
  readonly displayName: string;
  readonly config: { readonly url: string; readonly headers: Record<string, string> };
  readonly revision: string;
}
const saved = (): Promise<Config> => call("servers.readConfig", { id: secretId, reveal: true });

test("a server is edited as JSON: masked, checked at its line, saved with what stayed covered", async () => {
  await inPage(secretId, async (page) => {
    const dialog = await edit(page, "resting");
    await dialog.getByLabel("Name", { exact: true }).fill("resting well");
    await dialog.getByRole("tab", { name: "JSON" }).click();
    const editor = dialog.locator(".cm-content");
    await editor.waitFor();
    assert.equal((await editor.textContent())?.includes("secret"), false);
    // The name typed in the form is here too.
    await becomes(() => dialog.getByLabel("Name", { exact: true }).inputValue(), "resting well");

    await editor.fill('{\n  "url": "/mcp"\n}');
    await dialog.getByRole("button", { name: /^Go to line 2,/ }).waitFor();
    await dialog.getByRole("tab", { name: "Form" }).click();
    await dialog.getByText("The form opens once the JSON has nothing to fix.").waitFor();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    assert.ok(await dialog.isVisible());

    // A draft with a mistake outlives closing.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await edit(page, "resting");
    await editor.filter({ hasText: /"\/mcp"/ }).waitFor();

    const text =
      '{\n  // kept\n  "url": "{{DSH_MCP_SAVED:url}}",\n  "headers": { "X-Key": "{{DSH_MCP_SAVED:headers%2FX-Key}}", "X-Team": "blue" }\n}';
    await editor.fill(text);
    await dialog.locator(".check-title.success").waitFor();
    await accessible(page, "editing as JSON");
    // The form says the same, and the text is still as it was written.
    await dialog.getByRole("tab", { name: "Form" }).click();
    await becomes(() => dialog.getByLabel("Header 2 value").inputValue(), "blue");
    await dialog.getByRole("tab", { name: "JSON" }).click();
    await editor.getByText("// kept").waitFor();

    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const { displayName, config } = await saved();
    assert.equal(displayName, "resting well");
    assert.equal(config.url, SECRET);
    assert.deepEqual(config.headers, { "X-Key": "12345", "X-Team": "blue" });
  });
});

test("what was saved elsewhere meanwhile is not overwritten unseen", async () => {
  await inPage(secretId, async (page) => {
    const { displayName, config, revision } = await saved();
    const dialog = await edit(page, displayName);
    await dialog.getByRole("tab", { name: "JSON" }).click();
    const editor = dialog.locator(".cm-content");
    await editor.fill('{ "url": "https://mine.example/mcp" }');
    const headers = { "X-Key": "67890" };
    await call("servers.saveConfig", { id: secretId, displayName, config: { ...config, headers }, revision });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByText("The server was changed elsewhere in the meantime.").waitFor();
    await editor.filter({ hasText: /mine\.example/ }).waitFor();
    assert.deepEqual((await saved()).config.headers, headers);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await saved()).config.url, "https://mine.example/mcp");
  });
});

test("a server that stays active is read over its new connection once the person says so, in plain sight", async () => {
  const tools = await startCallServer();
  const slow = await startSlowServer(tools.url);
  const dead = async (): Promise<string> => `http://127.0.0.1:${await freePort()}/mcp`;
  try {
    const config = { type: "http", url: await dead() };
    const { id } = await call<{ id: string }>("servers.create", { displayName: "moved", config });
    await call("servers.setState", { id, state: "active" });
    await rpc(data.path, "servers.discover", { id }); // Fails.
    await withPage(browser, toolgate.address, "/#/", async (page) => {
      const dialog = page.getByRole("dialog", { name: "Edit moved" });
      const moveTo = async (url: string): Promise<void> => {
        await page.locator(".servers-pane").getByRole("button", { name: "More actions for moved" }).click();
        await page.getByRole("menuitem", { name: "Edit…" }).click();
        await dialog.getByLabel("Endpoint").fill(url);
        await dialog.getByRole("button", { name: "Save and keep active" }).click();
        await dialog.waitFor({ state: "detached" });
      };
      const notice = page.locator(".notice", { hasText: "moved was saved." });
      const row = page.locator(".server-row").filter({ has: page.getByRole("link", { name: "moved" }) });
      await row.locator(".server-failure").waitFor();

      await moveTo(slow.url);
      await notice.getByText("Its tools are not read yet over the new connection.").waitFor();
      await row.locator(".server-failure").waitFor({ state: "detached" });
      await row.getByText("Not read yet").waitFor();
      await accessible(page, "a next step in a notice");
      assert.equal(slow.asked, 0, "nothing connects by itself");
      await notice.getByRole("button", { name: "Read tools" }).press("Enter");
      await page.getByRole("heading", { level: 1, name: "moved" }).waitFor();
      await page.locator(".server-body").getByText("Reading the tools…").waitFor();
      slow.let();
      await page.getByText(/^moved: \d+ tools read\.$/).waitFor();
      await page.getByRole("button", { name: /^measure/ }).waitFor();

      // The tools that are known become old by a change of the connection; what fails says so in their place.
      await moveTo(await dead());
      await page.locator(".server-body").getByText("Its tools have not been read yet").waitFor();
      await notice.getByRole("button", { name: "Read tools" }).press("Enter");
      await page.locator(".server-body").getByText("The tools could not be read").waitFor();
      await page.locator(".server-body").getByRole("button", { name: "Try again" }).waitFor();
    });
    await call("servers.remove", { id });
  } finally {
    await slow.stop();
    await tools.stop();
  }
});

interface Discovered {
  readonly tools: readonly { nativeName: string; override?: unknown }[];
  readonly staleOverrides: readonly { nativeName: string }[];
}
const discovered = (): Promise<Discovered> => call("servers.discover", { id: readId });
const overrideOf = async (name: string): Promise<unknown> =>
  (await discovered()).tools.find((tool) => tool.nativeName === name)?.override;

test("a tool and its properties are described in one's own words, beside the server's; that can be undone", async () => {
  await inPage(readId, async (page) => {
    await page.getByRole("button", { name: "echo" }).click();
    const details = page.locator(".tool-details");
    const theirs = await details.locator(".prose").first().textContent();
    await details.getByRole("button", { name: "Write your own…" }).click();
    const own = details.getByLabel("Your description of the tool");
    // Digits in a text are text, not decisions; and what was typed stays when the tool is closed.
    await own.pressSequentially("Says it 2 times.\n1 word.");
    await details.getByLabel("Your description of message").fill("  What to say.");
    await page.getByRole("button", { name: "echo" }).first().click();
    await page.getByRole("button", { name: "echo" }).first().click();
    await becomes(() => own.inputValue(), "Says it 2 times.\n1 word.");
    await accessible(page, "describing");
    await details.getByRole("button", { name: "Save descriptions" }).click();
    await details.locator(".own", { hasText: "1 word." }).waitFor();
    await details
      .getByText(theirs ?? "")
      .first()
      .waitFor();
    await accessible(page, "described");
    await page.getByRole("radiogroup", { name: "echo" }).getByRole("radio", { name: "Off", checked: true }).waitFor();
    const written = { description: "Says it 2 times.\n1 word.", properties: { message: "  What to say." } };
    assert.deepEqual(await overrideOf("echo"), written);

    await details.getByRole("button", { name: "Use the server’s again" }).click();
    await details.getByRole("button", { name: "Write your own…" }).waitFor();
    assert.equal(await overrideOf("echo"), undefined);
    await page.getByRole("button", { name: "Undo" }).click();
    await details.getByRole("button", { name: "Edit yours…" }).waitFor();
    assert.deepEqual(await overrideOf("echo"), written);

    // Emptied, it is the server's again.
    await details.getByRole("button", { name: "Edit yours…" }).click();
    await own.fill("");
    await details.getByLabel("Your description of message").fill("");
    await details.getByRole("button", { name: "Save descriptions" }).click();
    await details.getByRole("button", { name: "Write your own…" }).waitFor();
    assert.equal(await overrideOf("echo"), undefined);
  });
});

test("descriptions of what is gone are shown, and can be removed", async () => {
  await call("tools.setDescriptionOverride", {
    id: readId,
    nativeName: "echo",
    override: { description: "Kept.", properties: { lost: "Not there any more." } },
  });
  await inPage(readId, async (page) => {
    await page.getByText("2 descriptions of things that are gone").click();
    await page.getByText("Not there any more.").waitFor();
    await page.getByRole("button", { name: "Remove what you wrote for no-such-tool" }).click();
    await page.getByText("1 description of something that is gone").waitFor();
    await page.getByRole("button", { name: "Remove what you wrote for echo" }).click();
    await page.getByText("that is gone").waitFor({ state: "detached" });
    const { staleOverrides } = await discovered();
    assert.deepEqual(staleOverrides, []);
    assert.deepEqual(await overrideOf("echo"), { description: "Kept." });
  });
});
