// Windows of every width, as zoomed browsers, turned phones and halves of a screen have them: no word of ours is broken in
// its middle, nothing overlaps its neighbour, and nothing is wider than the window.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startFormServer, type FormServer } from "./support/form-server.ts";
import { becomes, retype, withPage } from "./support/page.ts";
import { ask, dataFolder, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

/** On both sides of each width at which the layout changes, and between. */
const WIDTHS = [320, 375, 430, 500, 559, 560, 600, 679, 680, 699, 700, 759, 760, 844, 899, 900, 960, 1024, 1280];

let browser: Browser;
let hotel: FormServer;
let data: DataFolder;
let toolgate: Toolgate;
let serverId: string;
let partnerId: string;

const call = <T>(method: string, params: unknown): Promise<T> => ask<T>(data.path, method, params);

before(async () => {
  [browser, hotel, data] = await Promise.all([launch(), startFormServer(), dataFolder()]);
  const config = { type: "http", url: hotel.url };
  serverId = (await call<{ id: string }>("servers.create", { displayName: "Hotel", config })).id;
  await call("servers.create", { displayName: "Inn", config: { ...config, headers: { Authorization: "Bearer 1" } } });
  await call("servers.setState", { id: serverId, state: "active" });
  await call("servers.discover", { id: serverId });
  partnerId = (await call<{ id: string }>("partners.create", { name: "Writer" })).id;
  await call("partners.grant", { partnerId, serverId });
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await hotel?.stop();
  await data?.remove();
});

/** Words that take two lines, and what is too wide. Code may break anywhere; what is for screen readers has one pixel. */
function amiss(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const top = document.querySelector("dialog[open]") ?? document.body;
    const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement;
      if (
        !element?.checkVisibility() ||
        element.clientWidth === 1 ||
        element.closest(".visually-hidden, code, pre, .code, .cm-editor, .exact")
      )
        continue;
      for (const { 0: word, index } of (node.nodeValue ?? "").matchAll(/[A-Za-z]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set(
          [...range.getClientRects()].filter(({ width }) => width > 0).map(({ y }) => Math.round(y)),
        );
        if (lines.size > 1) found.push(`${word} is broken`);
        const { left, right } = range.getBoundingClientRect();
        if (left < 0 || right > innerWidth) found.push(`${word} is outside`);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page is too wide");
    return found;
  });
}

async function everyWidth(page: Page, what: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await becomes(async () => [what, width, ...(await amiss(page))], [what, width]);
  }
}

test("every screen and dialog, at every width", async () => {
  await withPage(browser, toolgate.address, "/#/", async (page) => {
    const show = async (path: string, ready: string) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(new URL(path, toolgate.address).href);
      await page.locator(ready).first().waitFor();
    };
    const dialog = page.locator("dialog[open]");
    const close = async () => {
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    };
    await show("/#/", "[data-server]");
    await everyWidth(page, "servers");
    await page.getByRole("button", { name: "Add server" }).click();
    await retype(dialog.locator(".cm-content"), "npx -y server");
    await dialog.getByRole("button", { name: "Put it in the form" }).waitFor();
    await everyWidth(page, "adding by JSON");
    await dialog.getByRole("tab", { name: "Form" }).click();
    await dialog.getByLabel("Name").waitFor();
    await everyWidth(page, "adding by the form");
    await close();
    await page.getByRole("button", { name: "Import…" }).click();
    await retype(dialog.locator(".cm-content"), '{ "mcpServers": { "Inn": { "url": "http://inn.example/mcp" } } }');
    await dialog.locator(".import-entry").waitFor();
    await everyWidth(page, "importing");
    await close();

    await show(`/#/servers/${serverId}/book_room`, ".tool-details");
    await everyWidth(page, "a server");
    await page.getByRole("button", { name: "Write your own…" }).click();
    await page.getByRole("button", { name: "Save descriptions" }).waitFor();
    await everyWidth(page, "describing");
    await show(`/#/call/${serverId}/book_room`, ".arg-fields.root");
    await everyWidth(page, "trying");
    await page.getByRole("link", { name: "Hotel", exact: false }).first().waitFor();

    await show(`/#/partners/${partnerId}`, ".grant");
    await everyWidth(page, "a partner");
    await page.getByRole("button", { name: "Grant servers…" }).click();
    await dialog.getByRole("checkbox").first().waitFor();
    await everyWidth(page, "granting");
    await close();
    await show("/#/partners", ".servers-pane .server-row");
    await everyWidth(page, "partners");
    assert.equal(await dialog.count(), 0);
  });
});
