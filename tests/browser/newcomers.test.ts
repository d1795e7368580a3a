// What people stumbled over who used the page for the first time: failures in their language that go when they are over,
// addresses that are plain before anything uses them, keys that work at once, ways back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Locator, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { becomes, edit, withPage } from "./support/page.ts";
import { freePort } from "./support/process.ts";
import { ask, dataFolder, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;
let data: DataFolder;
let toolgate: Toolgate;
/** An active server whose tools were read; one where nothing listens, at this port; a paused one with secrets. */
let readId: string;
let downId: string;
let downPort: number;
let secretId: string;

const call = <T>(method: string, params: unknown): Promise<T> => ask<T>(data.path, method, params);
const create = async (displayName: string, url: string): Promise<string> =>
  (await call<{ id: string }>("servers.create", { displayName, config: { type: "http", url } })).id;
const activate = (id: string) => call("servers.setState", { id, state: "active" });

before(async () => {
  [browser, everything, data, downPort] = await Promise.all([launch(), startEverything(), dataFolder(), freePort()]);
  readId = await create("everything", everything.url);
  downId = await create("down", `http://127.0.0.1:${downPort}/mcp`);
  secretId = await create("secret", "http://user:word@internal.example:8123/mcp?team=blue");
  await activate(readId);
  await activate(downId);
  await call("servers.discover", { id: readId });
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await everything?.stop();
  await data?.remove();
});

const inPage = (path: string, locale: string, use: (page: Page) => Promise<void>): Promise<void> =>
  withPage(browser, toolgate.address, path, use, { locale });

const at = (id: string): string => `/#/servers/${id}`;
const permission = (page: Page, tool: string, name: string): Locator =>
  page.getByRole("radiogroup", { name: tool, exact: true }).getByRole("radio", { name, checked: true });

test("a failure is told in the person's language; the program's own sentence is there for who asks", async () => {
  await inPage(at(downId), "zh-CN", async (page) => {
    await page.locator(".server-body .button.primary").click();
    const box = page.locator(".server-body .box.error");
    await box.waitFor();
    const shown = await box.innerText();
    assert.match(shown, /该地址没有程序在监听|没有/);
    assert.doesNotMatch(shown, /[a-z]{3,} [a-z]{2,} [a-z]{2,}/i);
    await box.getByText("Toolgate 的原文（英文）").click();
    assert.match(await box.locator(".original .detail").innerText(), /[a-z]{3,} [a-z]{2,}/i);
  });
});

test("without a session the server's own page is in the person's language, styled, and says what to do", async () => {
  for (const [locale, words] of [
    ["en-US", "Toolgate needs to know that it is you"],
    ["zh-CN", "Toolgate 需要确认是你本人"],
  ] as const) {
    const context = await browser.newContext({ locale, colorScheme: "dark" });
    const page = await context.newPage();
    const blocked: string[] = [];
    page.on("console", (message) => message.type() === "error" && blocked.push(message.text()));
    const answer = await page.goto(new URL("/", toolgate.address).href);
    assert.equal(answer?.status(), 401);
    await page.getByRole("heading", { name: words }).waitFor();
    const main = page.locator("main");
    assert.equal(await main.evaluate((element) => getComputedStyle(element).maxWidth !== "none"), true);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(24, 25, 27)");
    assert.deepEqual(
      blocked.filter((text) => /Content Security Policy/i.test(text) && !/favicon/.test(text)),
      [],
    );
    await context.close();
  }
});

test("a failure goes when the person goes on, and when what failed succeeds", async () => {
  await inPage("/#/", "en-US", async (page) => {
    const refresh = async () => {
      await page.locator(".servers-pane").getByRole("button", { name: "More actions for down" }).click();
      await page.getByRole("menuitem", { name: /^(Read|Refresh) tools$/ }).click();
    };
    const failure = page.locator(".notice.error");
    await refresh();
    await failure.getByText("down: The tools could not be read").waitFor();
    await page.getByRole("link", { name: "everything" }).click();
    await failure.waitFor({ state: "detached" });

    await refresh();
    await failure.waitFor();
    // Once more is the same failure, not a second one.
    await refresh();
    await page.locator(".server-row", { hasText: "down" }).locator(".icon-activity").waitFor({ state: "detached" });
    await becomes(() => failure.count(), 1);
    const late = await startEverything(downPort);
    try {
      await refresh();
      await page.getByText(/^down: \d+ tools read\.$/).waitFor();
      await becomes(() => failure.count(), 0);
    } finally {
      await late.stop();
    }
  });
});

test("a refresh that fails leaves the tools in place, with the failure above them", async () => {
  await inPage(at(downId), "en-US", async (page) => {
    await page.locator(".tool-list").waitFor();
    await page.getByRole("button", { name: "Refresh", exact: true }).click();
    const box = page.locator(".server-body .box.warning");
    await box.getByText("The last refresh failed").waitFor();
    await box.getByText("What you see below is what was read before.").waitFor();
    await permission(page, "echo", "Off").waitFor();
    const [above, below] = await Promise.all([box.boundingBox(), page.locator(".tool-list").boundingBox()]);
    assert.ok((above?.y ?? 0) < (below?.y ?? 0));
    await page.reload();
    await page.locator(".server-body .box").getByText("The last refresh failed").waitFor();
    await permission(page, "echo", "Off").waitFor();
  });
});

test("keys decide as soon as the tools are there, and one decision can be undone", async () => {
  await inPage(at(readId), "en-US", async (page) => {
    await permission(page, "echo", "Off").waitFor();
    await page.keyboard.press("3");
    await permission(page, "echo", "Allow").waitFor();
    await page.getByText("echo is now Allow.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await permission(page, "echo", "Off").waitFor();

    // From the heading, too; the first arrow goes to the tool, the next one on from there.
    await page.getByRole("heading", { level: 1, name: "everything" }).focus();
    await page.keyboard.press("ArrowDown");
    await becomes(() => page.evaluate(() => document.activeElement?.closest("[data-index]")?.ariaPosInSet), "1");
    await page.keyboard.press("ArrowDown");
    await becomes(() => page.evaluate(() => document.activeElement?.closest("[data-index]")?.ariaPosInSet), "2");

    // Digits in a field are text, and in a dialog nobody's business here.
    await page.keyboard.press("/");
    await page.keyboard.type("321");
    await becomes(() => page.getByLabel("Search tools").inputValue(), "321");
    await page.getByRole("button", { name: "Show all tools" }).click();
    await page.getByRole("button", { name: "Add server" }).click();
    await page.getByRole("dialog").getByRole("tab", { name: "JSON" }).focus();
    await page.keyboard.press("3");
    await page.keyboard.press("Escape");
    await permission(page, "echo", "Off").waitFor();
  });
});

test("pausing can be undone", async () => {
  await inPage(at(readId), "en-US", async (page) => {
    const toggle = page.locator(".server-tools").getByRole("switch", { name: "everything active" });
    await toggle.click();
    await page.getByText("everything is paused.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("everything is active again.").waitFor();
    await permission(page, "echo", "Off").waitFor();
  });
});

test("a covered address says where it leads, and is shown whole on request", async () => {
  await inPage(at(secretId), "en-US", async (page) => {
    const head = page.locator(".server-subtitle");
    const whole = "http://user:word@internal.example:8123/mcp?team=blue";
    assert.equal((await head.innerText()).includes("/mcp"), false);
    await head.getByRole("button", { name: "Show the whole address" }).click();
    await head.getByText(whole).waitFor();
    await head.getByRole("button", { name: "Hide" }).click();
    await head.getByText(whole).waitFor({ state: "detached" });

    const dialog = await edit(page, "secret");
    await dialog.getByText("leads to http://internal.example:8123").first().waitFor();
    assert.match(await dialog.getByLabel("Endpoint").inputValue(), /DSH_MCP_SAVED/);
    await dialog.getByRole("button", { name: "Show it whole" }).click();
    await page.waitForFunction(
      (expected) =>
        [...document.querySelectorAll("dialog input")].some((field) => "value" in field && field.value === expected),
      whole,
    );
  });
});

test("the new address of an active server is plain before it is saved, and it can be paused with the save", async () => {
  const url = async () =>
    (await call<{ config: { url: string } }>("servers.readConfig", { id: downId, reveal: true })).config.url;
  const state = async () =>
    (await call<{ servers: { id: string; state: string }[] }>("servers.list", {})).servers.find(
      ({ id }) => id === downId,
    )?.state;
  await inPage(at(downId), "en-US", async (page) => {
    const dialog = await edit(page, "down");
    await dialog.getByLabel("Name", { exact: true }).fill("down there");
    await dialog.getByRole("button", { name: "Save", exact: true }).waitFor();
    assert.equal(await dialog.getByText("This server is active").count(), 0);
    await dialog.getByLabel("Name", { exact: true }).fill("down");

    await dialog.getByLabel("Endpoint").fill(`http://127.0.0.1:${downPort}/other`);
    const warning = dialog.getByRole("status").filter({ hasText: "This server is active" });
    await warning.getByText(`http://127.0.0.1:${downPort}/other`).waitFor();
    await dialog.getByRole("button", { name: "Save and keep active" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual([await url(), await state()], [`http://127.0.0.1:${downPort}/other`, "active"]);

    await edit(page, "down");
    await dialog.getByLabel("Endpoint").fill(`http://127.0.0.1:${downPort}/mcp`);
    await dialog.getByRole("button", { name: "Save and pause" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("This server is paused").waitFor();
    await page.locator(".server-body").getByRole("button", { name: "Activate and connect" }).waitFor();
    assert.deepEqual([await url(), await state()], [`http://127.0.0.1:${downPort}/mcp`, "paused"]);
  });
  await activate(downId);
});

test("what was typed into the form is in the JSON, and what the JSON says in the form", async () => {
  await inPage("/#/", "en-US", async (page) => {
    await page.getByRole("button", { name: "Add server" }).click();
    const dialog = page.getByRole("dialog", { name: "Add server" });
    const tab = (name: string) => dialog.getByRole("tab", { name }).click();
    const editor = dialog.locator(".cm-content");
    await tab("Form");
    await dialog.getByLabel("Name", { exact: true }).fill("typed");
    await dialog.getByLabel("Endpoint").fill("https://typed.example/mcp");
    await dialog.getByRole("button", { name: "Add header" }).click();
    await dialog.getByLabel("Header 1 name").fill("X-Key");
    await dialog.getByLabel("Header 1 value").fill("k");
    await tab("JSON");
    await editor.getByText("https://typed.example/mcp").waitFor();
    await editor.filter({ hasText: /"X-Key": "k"/ }).waitFor();
    await becomes(() => dialog.getByLabel("Name", { exact: true }).inputValue(), "typed");

    await editor.fill('{ "written": { "command": "npx", "args": ["-y", "x"] } } // kept');
    await dialog.locator(".check-title.success").waitFor();
    await tab("Form");
    await becomes(() => dialog.getByLabel("Name", { exact: true }).inputValue(), "written");
    await becomes(() => dialog.getByLabel("Arguments").inputValue(), "-y\nx\n");
    // Nothing was changed in the form: the text is as it was written.
    await tab("JSON");
    await editor.getByText("// kept").waitFor();

    await editor.fill('{ "broken": { "url": 3 } }');
    await tab("Form");
    await dialog.getByText("The form opens once the JSON has nothing to fix.").waitFor();
    await editor.filter({ hasText: /broken/ }).waitFor();
  });
});
