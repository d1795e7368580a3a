// The page's languages: each loads its own words and no others; where they cannot be had, it speaks English.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { startCallServer } from "./support/call-server.ts";
import { launch } from "./support/chromium.ts";
import { ask, dataFolder, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

/** The file with the Chinese words. */
const CHINESE = /\/assets\/chinese-[^/]*\.js$/;

let browser: Browser;
let data: DataFolder;
let toolgate: Toolgate;

before(async () => {
  [browser, data] = await Promise.all([launch(), dataFolder()]);
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await data?.remove();
});

async function withPage(locale: string, use: (page: Page, asked: () => number) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale });
  try {
    const page = await context.newPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await use(page, () => requests.filter((url) => CHINESE.test(url)).length);
  } finally {
    await context.close();
  }
}

const title = (page: Page, text: string) => page.getByRole("button", { name: text, exact: true }).first();
const lang = (page: Page) => page.evaluate(() => document.documentElement.lang);

test("a page in English loads no other language until it is chosen", async () => {
  await withPage("en-US", async (page, asked) => {
    await page.goto(toolgate.address);
    await title(page, "Add server").waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal(asked(), 0);
    assert.equal(await lang(page), "en");

    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("radio", { name: "简体中文" }).click();
    await title(page, "添加服务器").waitFor();
    assert.equal(asked(), 1);
    assert.equal(await lang(page), "zh-CN");
  });
});

test("a page in Chinese never shows another language first", async () => {
  await withPage("zh-CN", async (page) => {
    await page.addInitScript(() => {
      const seen = window as unknown as { english: boolean };
      seen.english = false;
      new MutationObserver(() => {
        if (document.body?.textContent?.includes("Add server")) seen.english = true;
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await page.goto(toolgate.address);
    await title(page, "添加服务器").waitFor();
    assert.equal(await page.evaluate(() => (window as unknown as { english: boolean }).english), false);
    assert.equal(await lang(page), "zh-CN");
  });
});

test("where the words cannot be loaded the page speaks English, and says so to those who read it aloud", async () => {
  await withPage("zh-CN", async (page) => {
    await page.route(CHINESE, (route) => route.abort());
    await page.goto(toolgate.address);
    await title(page, "Add server").waitFor();
    assert.equal(await lang(page), "en");
  });
});

test("what core notes about a schema is in the page's language; its own sentence is there for who asks", async () => {
  const inputSchema = {
    $schema: "https://example.com/dialect",
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
  };
  const server = await startCallServer([{ name: "odd", inputSchema }]);
  try {
    const config = { type: "http", url: server.url };
    const { id } = await ask<{ id: string }>(data.path, "servers.create", { displayName: "odd", config });
    await ask(data.path, "servers.setState", { id, state: "active" });
    await ask(data.path, "servers.discover", { id });
    for (const [locale, ours] of [
      ["zh-CN", "有工具使用未知的 JSON Schema 方言"],
      ["en-US", "A tool uses an unknown dialect of JSON Schema"],
    ] as const) {
      await withPage(locale, async (page) => {
        await page.goto(toolgate.address);
        await page.goto(new URL(`/#/call/${id}/odd`, toolgate.address).href);
        await page.locator("[data-path='/a']").getByRole("textbox").fill("b");
        const note = page.locator(".call-warnings .hint").filter({ hasText: ours });
        await note.waitFor();
        const theirs = note.getByText("https://example.com/dialect");
        if (locale === "en-US") return theirs.waitFor();
        assert.equal(await theirs.isVisible(), false);
        await note.locator("summary").press("Enter");
        await theirs.waitFor();
      });
    }
  } finally {
    await server.stop();
  }
});
