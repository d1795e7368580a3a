// Lists of more rows than are in the document at once: what stands above them, removing a row, taking back what was done
// to one far down, and partners, of which there may be as many.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Browser, Locator, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { accessible, becomes, withPage } from "./support/page.ts";
import { ask, dataFolder, serve, startBridge, type DataFolder, type Toolgate } from "./support/toolgate.ts";

const SERVERS = 30;
const PARTNERS = 60;
/** Elements in the whole document. */
const MOST_NODES = 1000;

let browser: Browser;
let data: DataFolder;
let toolgate: Toolgate;

interface Listed {
  readonly servers: readonly { id: string; displayName: string; state: string }[];
  readonly storageIssues: readonly unknown[];
}
const call = <T>(method: string, params: unknown): Promise<T> => ask<T>(data.path, method, params);
const list = (): Promise<Listed> => call("servers.list", {});
const numbered = (name: string, number: number): string => `${name} ${String(number).padStart(2, "0")}`;

before(async () => {
  [browser, data] = await Promise.all([launch(), dataFolder()]);
  const mcpServers = Object.fromEntries(
    Array.from({ length: SERVERS }, (_, number) => [
      numbered("server", number),
      { type: "http", url: `http://server-${number}.example/mcp` },
    ]),
  );
  await call("servers.import", { text: JSON.stringify({ mcpServers }) });
  const bridge = startBridge(data.path);
  for (let id = 0; id < PARTNERS; id += 1) {
    const params = { name: numbered("partner", id) };
    await bridge.exchange(JSON.stringify({ jsonrpc: "2.0", id, method: "partners.create", params }));
  }
  await bridge.stop();
  await writeFile(join(data.path, "_tauritavern/mcp/registrations/notes.txt"), "Not a server.\n");
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await data?.remove();
});

const at = (path: string, use: (page: Page) => Promise<void>): Promise<void> =>
  withPage(browser, toolgate.address, path, use);
const nodes = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);
const row = (page: Page, position: number): Locator => page.locator(`.server-row[aria-posinset="${position}"]`);
const rowOf = (page: Page, name: string): Locator =>
  page.locator(".server-row").filter({ has: page.getByRole("link", { name, exact: true }) });
const toEnd = (page: Page): Promise<void> =>
  page.locator(".servers-pane").evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));

/** The list begins below what stands above it, and each row below the one before. */
const inOrder = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".issues, .server-row")].map((one) => one.getBoundingClientRect());
    return boxes.every((box, index) => index === 0 || box.top >= (boxes[index - 1]?.bottom ?? 0) - 0.5);
  });

test("files that could not be used unfold above a long list, and go from there", async () => {
  await at("/#/", async (page) => {
    await row(page, 1).waitFor();
    await becomes(() => inOrder(page), true);
    const folded = await row(page, 1).boundingBox();
    await page.locator(".issues > summary").click();
    await page.locator(".issues .button").waitFor();
    await becomes(async () => ((await row(page, 1).boundingBox())?.y ?? 0) > (folded?.y ?? Infinity), true);
    await becomes(() => inOrder(page), true);
    await toEnd(page);
    const last = row(page, SERVERS);
    await becomes(() => last.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight), true);
    await accessible(page, "the end of a long list below an unfolded box");

    await page.locator(".servers-pane").evaluate((pane) => pane.scrollTo(0, 0));
    await page.getByRole("button", { name: "Remove file notes.txt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove file" }).click();
    await page.getByText("notes.txt was removed.").waitFor();
    await page.locator(".issues").waitFor({ state: "detached" });
    await becomes(() => inOrder(page), true);
    await becomes(async () => ((await row(page, 1).boundingBox())?.y ?? Infinity) <= (folded?.y ?? 0), true);
    assert.deepEqual((await list()).storageIssues, []);
  });
});

test("a server far down is removed, and pausing the one that takes its place is taken back", async () => {
  const { servers } = await list();
  const [gone, next] = [servers.at(-2), servers.at(-1)];
  assert.ok(gone && next);
  await call("servers.setState", { id: next.id, state: "active" });
  await at("/#/", async (page) => {
    await row(page, 1).waitFor();
    await toEnd(page);
    await row(page, SERVERS - 1).waitFor();
    await rowOf(page, gone.displayName)
      .getByRole("button", { name: `More actions for ${gone.displayName}` })
      .click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove server" }).click();
    await page.getByText(`${gone.displayName} was removed.`).waitFor();
    await rowOf(page, gone.displayName).waitFor({ state: "detached" });
    // What is left says its new place, and leaves no gap.
    await page.locator(`.server-row[aria-setsize="${SERVERS - 1}"][aria-posinset="${SERVERS - 1}"]`).waitFor();
    await becomes(() => inOrder(page), true);
    await becomes(
      () =>
        page.evaluate(() => {
          const bottoms = [...document.querySelectorAll(".server-list, .server-row:last-child")].map(
            (one) => one.getBoundingClientRect().bottom,
          );
          return Math.abs((bottoms[0] ?? 0) - (bottoms[1] ?? 100)) < 2;
        }),
      true,
    );

    const power = rowOf(page, next.displayName).getByRole("switch");
    const stateOf = async () => (await list()).servers.find(({ id }) => id === next.id)?.state;
    await power.click();
    await page.getByText(`${next.displayName} is paused.`).waitFor();
    await becomes(() => power.getAttribute("aria-checked"), "false");
    assert.equal(await stateOf(), "paused");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(`${next.displayName} is active again.`).waitFor();
    await becomes(() => power.getAttribute("aria-checked"), "true");
    assert.equal(await stateOf(), "active");
  });
});

test("sixty partners: a small document, Tab comes to each, and one far down is shown and removed", async () => {
  await at("/#/partners", async (page) => {
    await row(page, PARTNERS).waitFor({ state: "attached" });
    assert.ok((await nodes(page)) < MOST_NODES, "a small document");
    await accessible(page, "many partners");
    const atRow = () =>
      page.evaluate(() => document.activeElement?.closest(".server-row")?.getAttribute("aria-posinset"));
    const visited: (string | null | undefined)[] = [];
    await row(page, 1).getByRole("link").focus();
    for (let now = await atRow(); now && visited.length < 4 * PARTNERS; now = await atRow()) {
      if (visited.at(-1) !== now) visited.push(now);
      await page.keyboard.press("Tab");
    }
    assert.deepEqual(
      visited,
      Array.from({ length: PARTNERS }, (_, number) => String(number + 1)),
    );

    await row(page, PARTNERS).getByRole("link").click();
    const name = numbered("partner", PARTNERS - 1);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.locator(".server-row.chosen").waitFor();
    assert.ok((await nodes(page)) < MOST_NODES, "a small document with a partner beside");
    await page
      .locator(".server-tools")
      .getByRole("button", { name: `More actions for ${name}` })
      .click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove partner" }).click();
    await page
      .locator(`.server-row[aria-setsize="${PARTNERS - 1}"]`)
      .first()
      .waitFor();
    await page.getByRole("searchbox").fill("partner 4");
    await becomes(() => page.locator(".server-list > .server-row").count(), 10);
  });
});

test("what the focus goes up to stands below the head of the list", async () => {
  await at("/#/", async (page) => {
    await row(page, 1).waitFor();
    await toEnd(page);
    await page.locator(".server-row").last().getByRole("link").focus();
    const hidden = (): Promise<string | false> =>
      page.evaluate(() => {
        const head = document.querySelector(".pane-top")?.getBoundingClientRect().bottom ?? Infinity;
        const focused = document.activeElement;
        return (
          focused !== document.body && (focused?.getBoundingClientRect().top ?? 0) < head && (focused?.outerHTML ?? "")
        );
      });
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Shift+Tab");
      await becomes(hidden, false);
    }
    const { top } = await page.locator(".servers-pane").evaluate((pane) => ({ top: pane.scrollTop }));
    assert.ok(top > 0, "sixty steps do not reach the head");
  });
});
