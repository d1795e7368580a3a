// The largest list there may be: fifty servers, one of them with 512 tools whose schemas take 10 KB each. The document stays
// small wherever a person scrolls, and what is searched for is there in the next frame.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { startCallServer, type CallServer, type ListedTool } from "./support/call-server.ts";
import { launch } from "./support/chromium.ts";
import { accessible, becomes } from "./support/page.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

const SERVERS = 50;
const TOOLS = 512;
const SCHEMA_BYTES = 10_000;
/** Elements in the whole document. */
const MOST_NODES = 1000;

let browser: Browser;
let server: CallServer;
let data: DataFolder;
let toolgate: Toolgate;
let id: string;

/** A schema of about that size, of properties as servers have them. */
function schema(): ListedTool["inputSchema"] {
  const properties: Record<string, unknown> = {};
  for (let size = 0, number = 0; size < SCHEMA_BYTES; number += 1) {
    const property = { type: "string", description: "Decides about a part of what is done.", maxLength: 200 };
    properties[`property_${number}`] = property;
    size += JSON.stringify(property).length + 16;
  }
  return { type: "object", properties };
}

const tools: readonly ListedTool[] = Array.from({ length: TOOLS }, (_, number) => ({
  name: `tool_${number}`,
  description: `Does what number ${number} is for, which takes more than a line to say where the window is narrow.`,
  inputSchema: schema(),
}));

async function call<T>(method: string, params: unknown): Promise<T> {
  const answer = await rpc(data.path, method, params);
  assert.equal(answer.code, 0, JSON.stringify(answer.error));
  return answer.result as T;
}

before(async () => {
  [browser, server, data] = await Promise.all([launch(), startCallServer(tools), dataFolder()]);
  const names = Array.from({ length: SERVERS - 1 }, (_, number) => `quiet ${String(number).padStart(2, "0")}`);
  const quiet = names.map((name) => [name, { type: "http", url: `http://${name.replace(" ", "-")}.example/mcp` }]);
  const all = [["large", { type: "http", url: server.url }], ...quiet];
  // A text may have thirty servers.
  for (const part of [all.slice(0, 25), all.slice(25)]) {
    await call("servers.import", { text: JSON.stringify({ mcpServers: Object.fromEntries(part) as unknown }) });
  }
  const { servers } = await call<{ servers: { id: string; displayName: string }[] }>("servers.list", {});
  assert.equal(servers.length, SERVERS);
  id = servers.find(({ displayName }) => displayName === "large")?.id ?? "";
  await call("servers.setState", { id, state: "active" });
  await call("servers.discover", { id });
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await server?.stop();
  await data?.remove();
});

const nodes = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);
const row = (page: Page, number: number) => page.getByRole("button", { name: new RegExp(`^tool_${number}\\b`) });

test("512 tools of 10 KB beside fifty servers: a small document, and a search in the next frame", async (context) => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
  try {
    await page.goto(toolgate.address);
    await page.goto(new URL(`/#/servers/${id}`, toolgate.address).href);
    await row(page, 0).waitFor();
    await page.locator(`.server-row[aria-posinset="${SERVERS}"]`).waitFor({ state: "attached" });
    const atTop = await nodes(page);
    assert.ok(atTop < MOST_NODES, `${atTop} elements at the top`);

    await row(page, 0).focus();
    await page.keyboard.press("End");
    await row(page, TOOLS - 1).waitFor();
    const atEnd = await nodes(page);
    assert.ok(atEnd < MOST_NODES, `${atEnd} elements at the end`);

    // Typed in the page itself, so that nothing but the page's own work stands between the key and the frame.
    const found = await page.evaluate(async () => {
      const field = document.querySelector<HTMLInputElement>('.tools input[type="search"]');
      if (!field) throw new Error("there is no search");
      const before = performance.now();
      field.value = "number 317";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise(requestAnimationFrame);
      const worked = performance.now() - before;
      await new Promise(requestAnimationFrame);
      return { worked, rows: [...document.querySelectorAll(".tool-name")].map((name) => name.textContent) };
    });
    assert.deepEqual(found.rows, ["tool_317"]);
    context.diagnostic(`${atTop} and ${atEnd} elements; the search took ${found.worked.toFixed(1)} ms up to its frame`);
  } finally {
    await page.close();
  }
});

for (const width of [375, 1440]) {
  test(`fifty servers at ${width} px: Tab comes to each, scrolling shows the last, and the way back its row`, async () => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, locale: "en-US" });
    const atRow = () =>
      page.evaluate(() => document.activeElement?.closest(".server-row")?.getAttribute("aria-posinset"));
    try {
      await page.goto(toolgate.address);
      const rows = page.locator(".server-list:not(.skeleton) > .server-row");
      await rows.first().waitFor();
      await accessible(page, "the top of a long list");
      assert.ok((await nodes(page)) < MOST_NODES);

      const visited: (string | null | undefined)[] = [];
      await rows.first().getByRole("link").focus();
      for (let at = await atRow(); at && visited.length < 4 * SERVERS; at = await atRow()) {
        if (visited.at(-1) !== at) visited.push(at);
        await page.keyboard.press("Tab");
      }
      const all = Array.from({ length: SERVERS }, (_, number) => String(number + 1));
      assert.deepEqual(visited, all, "the rows that Tab came to");
      const last = page.locator(`.server-row[aria-posinset="${SERVERS}"][aria-setsize="${SERVERS}"]`);
      await last.getByRole("switch").focus();
      await page.keyboard.press("Shift+Tab");
      await becomes(atRow, String(SERVERS));

      // A row with the focus stays, wherever the list is scrolled to.
      await page.locator(".servers-pane").evaluate((pane) => pane.scrollTo(0, 0));
      const first = page.locator('.server-row[aria-posinset="2"]');
      await first.waitFor();
      assert.equal(await atRow(), String(SERVERS));
      await page.locator(".servers-pane").evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
      await page.locator(`.server-row[aria-posinset="${SERVERS - 3}"]`).waitFor();
      const place = await last.boundingBox();
      assert.ok(place && place.y > 0 && place.y + place.height <= 900, "the last row is in the window");
      await accessible(page, "the end of a long list");

      const name = await last.getByRole("link").innerText();
      await last.getByRole("link").press("Enter");
      await page.getByRole("heading", { name, exact: true }).waitFor();
      if (width < 900) {
        await page.locator(".back").press("Enter");
        await becomes(atRow, String(SERVERS));
        await page.locator(`.server-row[aria-posinset="${SERVERS - 3}"]`).waitFor();
      }
      await page.getByRole("searchbox", { name: "Search servers" }).fill("quiet 0");
      await becomes(() => rows.count(), 10);
      await page.reload();
      // What is chosen by the address is in sight.
      const chosen = page.locator(".server-row.chosen");
      const inSight = () => chosen.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight);
      if (width > 900) await becomes(inSight, true);
    } finally {
      await page.close();
    }
  });
}
