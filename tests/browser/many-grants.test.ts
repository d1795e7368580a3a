// The most that a partner may be granted: fifty servers, each with as many tools as partners are offered of one. The document
// stays small whatever is unfolded, the last grant is reached and withdrawn by keys, and a search finds servers and tools.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Locator, Page } from "playwright-core";

import { startCallServer, type CallServer } from "./support/call-server.ts";
import { launch } from "./support/chromium.ts";
import { accessible, becomes, withPage } from "./support/page.ts";
import { dataFolder, serve, startBridge, type DataFolder, type Toolgate } from "./support/toolgate.ts";

const SERVERS = 50;
/** The most tools of one server that a partner is offered. */
const TOOLS = 200;
/** As many as the list at the left has in the document as a whole. */
const PARTNERS = 20;
/** Elements in the whole document. */
const MOST_NODES = 1000;

let browser: Browser;
let large: CallServer;
let small: CallServer;
let data: DataFolder;
let toolgate: Toolgate;
let partnerId: string;

const nameOf = (number: number): string => `server ${String(number).padStart(2, "0")}`;

before(async () => {
  const named = (name: string) => ({ name, inputSchema: { type: "object" } });
  [browser, large, small, data] = await Promise.all([
    launch(),
    startCallServer(Array.from({ length: TOOLS }, (_, number) => named(`tool_${number}`))),
    startCallServer([named("only_here"), named("and_this")]),
    dataFolder(),
  ]);
  const bridge = startBridge(data.path);
  const call = async <T>(method: string, params: unknown): Promise<T> => {
    const answer = await bridge.exchange(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const { result, error } = JSON.parse(answer) as { result: T; error?: unknown };
    assert.equal(error, undefined, method);
    return result;
  };
  for (let number = 0; number < PARTNERS; number += 1) {
    partnerId = (await call<{ id: string }>("partners.create", { name: `partner ${number}` })).id;
  }
  await call("partners.setEnabled", { partnerId, enabled: true });
  for (let number = 1; number <= SERVERS; number += 1) {
    const config = { type: "http", url: (number === SERVERS - 1 ? small : large).url };
    const { id } = await call<{ id: string }>("servers.create", { displayName: nameOf(number), config });
    await call("servers.setState", { id, state: "active" });
    await call("servers.discover", { id });
    await call("partners.grant", { partnerId, serverId: id });
  }
  await bridge.stop();
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await large?.stop();
  await small?.stop();
  await data?.remove();
});

const nodes = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);
const grant = (page: Page, position: number): Locator => page.locator(`.grant[aria-posinset="${position}"]`);
/** In which grant the focus is, and on what of it. */
const place = (page: Page): Promise<readonly (string | null | undefined)[]> =>
  page.evaluate(() => {
    const at = document.activeElement;
    const kind = at?.hasAttribute("data-withdraw") ? "withdraw" : at?.localName;
    return [at?.closest(".grant")?.getAttribute("aria-posinset"), kind];
  });

/** Whether each grant stands below the one before, and what has the focus is in sight. */
const settled = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".grant")].map((one) => one.getBoundingClientRect());
    const at = document.activeElement?.getBoundingClientRect();
    return (
      at !== undefined &&
      at.top >= 0 &&
      at.bottom <= innerHeight &&
      boxes.every((box, index) => index === 0 || box.top >= (boxes[index - 1]?.bottom ?? 0) - 1)
    );
  });

async function withGrants(use: (page: Page) => Promise<void>, width = 1440): Promise<void> {
  const options = { viewport: { width, height: 900 } };
  const path = `/#/partners/${partnerId}`;
  await withPage(
    browser,
    toolgate.address,
    path,
    async (page) => {
      await page.getByRole("button", { name: `Show ${SERVERS - 4} more` }).press("Enter");
      await grant(page, SERVERS).waitFor({ state: "attached" });
      await use(page);
    },
    options,
  );
}

for (const width of [375, 1440]) {
  test(`at ${width} px all are unfolded by keys in a small document, and the last is withdrawn and granted again`, async (context) => {
    await withGrants(async (page) => {
      let most = await nodes(page);
      const folded = most;
      await accessible(page, "fifty grants");
      // Tab comes to each; Enter unfolds its tools.
      const unfolded: unknown[] = [];
      await grant(page, 1).getByRole("link").focus();
      for (let at = await place(page); at[0] && unfolded.length <= SERVERS; at = await place(page)) {
        if (at[1] === "summary") {
          unfolded.push(Number(at[0]));
          await becomes(() => settled(page), true);
          await page.keyboard.press("Enter");
          await grant(page, Number(at[0])).getByRole("listitem").first().waitFor();
          await becomes(() => settled(page), true);
          most = Math.max(most, await nodes(page));
        }
        await page.keyboard.press("Tab");
      }
      assert.deepEqual(
        unfolded,
        Array.from({ length: SERVERS }, (_, index) => index + 1),
      );

      // Wherever it is scrolled to there are tools to see, in order, and nothing more than that.
      const pane = page.locator(".server-pane");
      for (const part of [1, 0.77, 0.5, 0.31, 0.02]) {
        await pane.evaluate((one, to) => one.scrollTo(0, (one.scrollHeight - one.clientHeight) * to), part);
        const inSight = () =>
          page.evaluate(() => {
            const tools = [...document.querySelectorAll(".grant-tools [role=listitem]")];
            const tops = tools.map((tool) => tool.getBoundingClientRect().top);
            const shown = tops.filter((top) => top > 0 && top < innerHeight);
            return shown.length > 5 && tops.every((top, index) => index === 0 || top > (tops[index - 1] ?? 0));
          });
        await becomes(inSight, true);
        most = Math.max(most, await nodes(page));
      }
      await accessible(page, "fifty grants, unfolded");
      context.diagnostic(`${folded} elements folded, at most ${most} unfolded`);
      assert.ok(most < MOST_NODES, `${most} elements`);

      // The way back from below the list leads to the last one.
      await page.getByRole("button", { name: "Show the first four only" }).focus();
      await page.keyboard.press("Shift+Tab");
      await becomes(() => place(page), [String(SERVERS), "summary"]);
      await page.keyboard.press("Shift+Tab");
      await becomes(() => place(page), [String(SERVERS), "withdraw"]);
      await page.keyboard.press("Enter");
      await page.getByText(`${nameOf(SERVERS)} is withdrawn`).waitFor();
      // What takes its place has the focus.
      await becomes(() => place(page), [String(SERVERS - 1), "withdraw"]);
      await page.getByRole("button", { name: "Undo" }).press("Enter");
      await page.getByText(`${nameOf(SERVERS)} is granted again.`).waitFor();
      await grant(page, SERVERS)
        .getByRole("link", { name: nameOf(SERVERS) })
        .waitFor({ state: "attached" });
      assert.ok((await nodes(page)) < MOST_NODES);
    }, width);
  });
}

test("a search finds servers by their name, and those that have a tool", async () => {
  await withGrants(async (page) => {
    const search = page.getByRole("searchbox", { name: "Search granted servers and tools" });
    await search.fill("server 4");
    await page.locator('.grant[aria-setsize="10"][aria-posinset="10"]').waitFor({ state: "attached" });
    await search.fill("ONLY_here");
    await becomes(() => page.locator(".grant h3").allInnerTexts(), [nameOf(SERVERS - 1)]);
    await page.getByText("1 of 2 tools matches").click();
    await becomes(() => page.locator(".grant").getByRole("listitem").locator("bdi").allInnerTexts(), ["only_here"]);
    await search.fill("tool_150");
    await grant(page, SERVERS - 1).waitFor({ state: "attached" });
    assert.ok((await nodes(page)) < MOST_NODES);
    await search.fill("no such thing");
    await page.getByText("No granted server and none of their tools match.").waitFor();
    await accessible(page, "nothing found");
    await search.fill("");
    await grant(page, SERVERS).waitFor({ state: "attached" });
  });
});

test("of little, all is in the document, tools that are folded too: the browser's own search finds them", async () => {
  await withGrants(async (page) => {
    const tools = page.locator(".grant [role=listitem]");
    await page.getByRole("searchbox", { name: "Search granted servers and tools" }).fill(nameOf(SERVERS - 1));
    await becomes(() => tools.count(), 2);
    assert.equal(await tools.first().isVisible(), false);
    await page.getByText("Tools (2)").click();
    await tools.first().waitFor();
  });
});
