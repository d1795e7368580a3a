// Importing many servers as a person does: pasted, opened or dropped; previewed; all or none; then activated one by one.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { accessible, becomes, focused, withPage } from "./support/page.ts";
import { ask, dataFolder, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;
let data: DataFolder;
let toolgate: Toolgate;

interface Server {
  readonly id: string;
  readonly displayName: string;
  readonly state: string;
}

const call = <T>(method: string, params: unknown): Promise<T> => ask<T>(data.path, method, params);
const servers = async (): Promise<readonly Server[]> => (await call<{ servers: Server[] }>("servers.list", {})).servers;

before(async () => {
  [browser, everything, data] = await Promise.all([launch(), startEverything(), dataFolder()]);
  toolgate = await serve(data.path);
});

beforeEach(async () => {
  for (const { id } of await servers()) await call("servers.remove", { id });
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await everything?.stop();
  await data?.remove();
});

const at = (use: (page: Page) => Promise<void>, options = {}): Promise<void> =>
  withPage(browser, toolgate.address, "/#/", use, options);

async function open(page: Page) {
  await page.getByRole("button", { name: "Import…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import servers" });
  const editor = dialog.locator(".cm-content");
  await editor.waitFor();
  return { dialog, editor, entries: dialog.locator(".import-entry") };
}

const config = (): string =>
  JSON.stringify(
    {
      mcpServers: {
        everything: { type: "http", url: everything.url, disabled: false },
        plain: { url: "http://docs.example/mcp", headers: { Authorization: "Bearer t" } },
      },
    },
    null,
    2,
  );

test("what is pasted is previewed, imported paused, and activated from there", async () => {
  await at(async (page) => {
    const { dialog, editor, entries } = await open(page);
    await dialog.getByText("Paste the JSON of your servers").waitFor();
    await accessible(page, "an empty import");
    await editor.fill(config());
    await dialog.getByText("2 servers will be created, paused").waitFor();
    await becomes(() => entries.count(), 2);
    // The whole endpoint, what to look at, and what was not taken over, at the entry it is about.
    await entries.nth(1).getByText("http://docs.example/mcp").waitFor();
    await entries.nth(1).getByText("The endpoint is plain http").waitFor();
    await entries.nth(0).getByText("On or off is not taken over").waitFor();
    await entries
      .nth(0)
      .getByRole("button", { name: /^Go to line 6,/ })
      .waitFor();
    await accessible(page, "a preview");
    assert.deepEqual(await servers(), []);
    await dialog.getByRole("button", { name: "Import 2 servers" }).click();

    await dialog.getByText("2 servers were created, all paused").waitFor();
    await accessible(page, "after an import");
    assert.deepEqual(
      (await servers()).map(({ displayName, state }) => [displayName, state]),
      [
        ["everything", "paused"],
        ["plain", "paused"],
      ],
    );
    await dialog.getByRole("button", { name: "Activate and connect everything…" }).click();
    const activate = page.getByRole("dialog", { name: "Activate and connect everything" });
    await activate.getByText(everything.url).waitFor();
    await activate.getByRole("button", { name: "Activate and connect" }).click();
    await page.getByText(/^everything is active: \d+ tools found\.$/).waitFor();
    // What was imported is no draft any more.
    const again = await open(page);
    assert.equal((await again.editor.textContent())?.includes("everything"), false);
  });
});

test("one mistake keeps everything out, and is shown at its line and entry", async () => {
  await call("servers.create", { displayName: "taken", config: { type: "http", url: "https://taken.example/mcp" } });
  await at(async (page) => {
    const { dialog, editor, entries } = await open(page);
    await editor.fill(
      '{\n  "mcpServers": {\n    "good": { "url": "https://good.example/mcp" },\n    "taken": { "url": "https://other.example/mcp" },\n    "bad": { "url": 3 }\n  }\n}',
    );
    await dialog.getByText("2 of 3 entries need fixing; nothing is created until then").waitFor();
    await entries.nth(0).getByText("Ready").waitFor();
    await entries.nth(1).getByText("1 thing to fix").first().waitFor();
    await accessible(page, "a preview with mistakes");
    await entries.nth(2).getByText("A field has the wrong kind of value").waitFor();
    await dialog.locator(".cm-lint-marker-error").first().waitFor();
    // Importing all the same goes to the first mistake and sends nothing.
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await becomes(() => page.evaluate(() => document.activeElement?.classList.contains("cm-content")), true);
    assert.equal((await servers()).length, 1);
    await editor.fill("{ torn");
    await dialog.getByText("Nothing can be imported yet").waitFor();
    await dialog.getByText("This is not valid JSON").waitFor();
  });
});

/** As a text, so that it is run as it stands here. */
const HOLD_IMPORTS = `{
  const send = WebSocket.prototype.send;
  const held = [];
  WebSocket.prototype.send = function (message) {
    if (message.includes("servers.import")) held.push([this, message]);
    else send.call(this, message);
  };
  window.release = () => held.forEach(([socket, message]) => send.call(socket, message));
}`;

test("what the host refuses after the preview is told, and the draft stays", async () => {
  await at(async (page) => {
    const { dialog, editor } = await open(page);
    await editor.fill(config());
    await dialog.getByText("2 servers will be created, paused").waitFor();
    // Somebody else takes a name in the very moment: the page's request is held back until it is done.
    await page.evaluate(HOLD_IMPORTS);
    await dialog.getByRole("button", { name: "Import 2 servers" }).click();
    await call("servers.create", { displayName: "plain", config: { type: "http", url: "https://first.example/mcp" } });
    await page.evaluate(() => (window as unknown as { release(): void }).release());
    await dialog.locator(".box.error").waitFor();
    assert.deepEqual(
      (await servers()).map(({ displayName }) => displayName),
      ["plain"],
    );
    await editor.filter({ hasText: /docs\.example/ }).waitFor();
    await dialog.getByText("1 of 2 entries needs fixing; nothing is created until then").waitFor();
  });
});

test("programs are told apart, with where they would run; examples never touch the draft", async () => {
  await at(async (page) => {
    const { dialog, editor, entries } = await open(page);
    const draft = '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "files"], "env": { "KEY": "k" } } } }';
    await editor.fill(draft);
    await dialog.getByText("1 entry runs a program where Toolgate runs").waitFor();
    await entries.getByText("npx -y files").waitFor();
    await entries.getByText("Environment variables: KEY").waitFor();
    for (const name of ["Example: HTTP servers", "Example: commands (stdio)"]) {
      await dialog.getByText(name).click();
    }
    await dialog.locator(".example").nth(1).waitFor();
    await becomes(() => editor.textContent(), draft);
    await accessible(page, "programs and examples");
  });
});

test("a draft outlives Escape three times and the backdrop, and the focus comes back", async () => {
  await at(async (page) => {
    const draft = '{ "mcpServers": { "kept": { "url": "https://kept.example/mcp" } } }';
    let { dialog, editor } = await open(page);
    await editor.fill(draft);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await becomes(() => page.evaluate(() => document.activeElement?.textContent), "Import…");
    ({ dialog, editor } = await open(page));
    await becomes(() => editor.textContent(), draft);
    await dialog.getByText("You are continuing your draft.").waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: "detached" });
    ({ dialog, editor } = await open(page));
    await becomes(() => editor.textContent(), draft);
    await dialog.getByRole("button", { name: "Discard draft" }).click();
    await dialog.getByText("Paste the JSON of your servers").waitFor();
  });
});

test("a file is opened, or dropped; the draft it replaces can be put back", async () => {
  await at(async (page) => {
    const { dialog, editor } = await open(page);
    const file = (name: string, text: string) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    const input = dialog.locator("input[type=file]");
    await input.setInputFiles(file("mcp.json", config()));
    await dialog.getByText("2 servers will be created, paused").waitFor();

    await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File(['{ "servers": { "dropped": { "url": "https://dropped.example/mcp" } } }'], "dropped.json"),
      );
      const target = document.querySelector("dialog .cm-content");
      target?.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: transfer }));
      target?.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
    });
    await dialog.getByText("1 server will be created, paused").waitFor();
    assert.equal((await editor.textContent())?.includes("docs.example"), false);
    await dialog.getByText("dropped.json stands in the place of your draft.").waitFor();
    await dialog.getByRole("button", { name: "Put my draft back" }).click();
    await dialog.getByText("2 servers will be created, paused").waitFor();

    await input.setInputFiles(file("huge.json", " ".repeat(1_000_001)));
    await dialog.getByText("huge.json is too large").waitFor();
    await dialog.getByText("2 servers will be created, paused").waitFor();
  });
});

test("several servers in Add are carried over to Import", async () => {
  await at(async (page) => {
    await page.getByRole("button", { name: "Add server" }).click();
    const add = page.getByRole("dialog", { name: "Add server" });
    await add.locator(".cm-content").fill(config());
    await add.getByText("There is more than one server").waitFor();
    await add.getByRole("button", { name: "Import them…" }).click();
    const dialog = page.getByRole("dialog", { name: "Import servers" });
    await dialog.getByText("2 servers will be created, paused").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.notEqual(await focused(page, "class"), null);
  });
});

test("narrow, dark, in Chinese: nothing is cut off, and everything is said in Chinese", async () => {
  await at(
    async (page) => {
      await page.getByRole("button", { name: "导入…" }).click();
      const dialog = page.getByRole("dialog", { name: "导入服务器" });
      await dialog.locator(".cm-content").fill(config());
      await dialog.getByText("将创建 2 个服务器，均为暂停状态").waitFor();
      await accessible(page, "a preview, narrow");
      await dialog.locator(".cm-content").fill('{ "mcpServers": { "a": { "url": 3 } } }');
      await dialog.getByText("1 项中有 1 项需要修正").waitFor();
      const shown = await dialog.locator(".import-entry").innerText();
      assert.doesNotMatch(shown, /[a-z]{3,} [a-z]{2,} [a-z]{2,}/i);
    },
    { viewport: { width: 375, height: 812 }, colorScheme: "dark", locale: "zh-CN" },
  );
});
