// Partners as a person keeps them: created, switched on, granted servers, told what the next turn offers and why something
// is missing; withdrawn at once; in step with what happens elsewhere.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { listen, textOf, type Listening } from "./support/listening.ts";
import { accessible, becomes, focused, withPage } from "./support/page.ts";
import { ask, dataFolder, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;
let many: Listening;
let data: DataFolder;
let toolgate: Toolgate;
let readId: string;
let manyId: string;

const call = <T>(method: string, params: unknown): Promise<T> => ask<T>(data.path, method, params);
const create = async (displayName: string, url: string): Promise<string> =>
  (await call<{ id: string }>("servers.create", { displayName, config: { type: "http", url } })).id;

interface PartnerNow {
  readonly id: string;
  readonly name: string;
  readonly mcpEnabled: boolean;
  readonly grants: readonly { serverId: string; scope: string }[];
}
const partners = async (): Promise<readonly PartnerNow[]> =>
  (await call<{ partners: PartnerNow[] }>("partners.list", {})).partners;
const partner = async (name: string): Promise<PartnerNow> => {
  const found = (await partners()).find((one) => one.name === name);
  assert.ok(found, `no partner ${name}`);
  return found;
};

/** A server with one tool more than partners may be offered. */
function startMany(): Promise<Listening> {
  const tools = Array.from({ length: 201 }, (_, at) => ({ name: `tool_${at}`, inputSchema: { type: "object" } }));
  return listen(async (request, response) => {
    const body = await textOf(request);
    const { id, method } = (body === "" ? {} : JSON.parse(body)) as { id?: number; method?: string };
    if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
    const answer =
      method === "initialize"
        ? {
            result: {
              protocolVersion: "2025-11-25",
              capabilities: { tools: {} },
              serverInfo: { name: "many", version: "1" },
            },
          }
        : method === "tools/list"
          ? { result: { tools } }
          : { error: { code: -32601, message: "no" } };
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
}

before(async () => {
  [browser, everything, many, data] = await Promise.all([launch(), startEverything(), startMany(), dataFolder()]);
  readId = await create("everything", everything.url);
  manyId = await create("many", `http://127.0.0.1:${many.port}/mcp`);
  for (const name of ["one", "two", "three"]) await create(name, `https://${name}.example/mcp`);
  for (const id of [readId, manyId]) {
    await call("servers.setState", { id, state: "active" });
    await call("servers.discover", { id });
  }
  await call("tools.setPermissions", { id: readId, changes: { echo: "allow", "get-sum": "ask" } });
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await everything?.stop();
  await many?.stop();
  await data?.remove();
});

const at = (path: string, use: (page: Page) => Promise<void>, options = {}): Promise<void> =>
  withPage(browser, toolgate.address, path, use, options);

const grantRow = (page: Page, server: string) =>
  page.locator(".grant").filter({ has: page.getByRole("link", { name: server, exact: true }) });

test("a partner is created, switched on and granted a server, by keyboard alone", async () => {
  await at("/#/", async (page) => {
    await page.getByRole("link", { name: "Partners" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("No partners yet").waitFor();
    await accessible(page, "no partners");
    await page.getByRole("button", { name: "New partner" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New partner" });
    const name = dialog.getByLabel("Name");
    // A name of nothing is refused at the field; what was typed outlives Escape.
    await name.press("Enter");
    await dialog.getByText("The name is missing").waitFor();
    await becomes(() => focused(page, "aria-invalid"), "true");
    await page.keyboard.type("Research");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New partner" }).press("Enter");
    await becomes(() => name.inputValue(), "Research");
    await accessible(page, "naming a partner");
    await name.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Research" }).waitFor();
    assert.equal((await partner("Research")).mcpEnabled, false);

    await page.getByText("MCP is off for this partner").waitFor();
    await page.locator(".server-tools").getByRole("switch", { name: "MCP for Research" }).press("Space");
    await page.getByText("MCP is on for Research").waitFor();
    await page.getByRole("button", { name: "Grant servers…" }).press("Enter");
    const picker = page.getByRole("dialog", { name: "Grant servers to Research" });
    await picker.getByLabel("Search servers").fill("every");
    await becomes(() => picker.getByRole("checkbox").count(), 1);
    await picker.getByRole("checkbox").press("Space");
    await accessible(page, "the picker");
    await picker.getByRole("button", { name: "Grant 1 server" }).press("Enter");
    await picker.waitFor({ state: "detached" });
    const row = grantRow(page, "everything");
    const tools = (await call<{ tools: unknown[] }>("servers.discover", { id: readId })).tools.length;
    await row
      .getByText(
        `${tools} tools in the next turn, ${tools - 2} of them Off for other uses; new ones are added by themselves`,
      )
      .waitFor();
    await page.getByText(`The next turn offers ${tools} tools.`).waitFor();
    assert.deepEqual((await partner("Research")).grants, [{ serverId: readId, scope: "all" }]);
    await accessible(page, "a partner");

    await row.getByRole("radio", { name: "All tools" }).press("ArrowRight");
    await row.getByText(`2 tools in the next turn; ${tools - 2} Off are left out`).waitFor();
    await page.getByText("The next turn offers 2 tools.").waitFor();
    await row.getByText("Tools (2)").click();
    await row.getByText("mcp__everything__echo").waitFor();
  });
});

test("a grant is withdrawn at once, and that can be undone", async () => {
  await at(`/#/partners/${(await partner("Research")).id}`, async (page) => {
    await grantRow(page, "everything").getByRole("button", { name: "Withdraw everything" }).click();
    await page.getByText("its calls are refused at once, and the next turn does not offer it").waitFor();
    await page.getByText("No servers granted yet").waitFor();
    assert.deepEqual((await partner("Research")).grants, []);
    await page.getByRole("button", { name: "Undo" }).click();
    await grantRow(page, "everything").waitFor();
    assert.deepEqual((await partner("Research")).grants, [{ serverId: readId, scope: "permitted" }]);
  });
});

test("four servers are shown and the others on demand; what is missing says why", async () => {
  const { id } = await partner("Research");
  await at(`/#/partners/${id}`, async (page) => {
    await page.getByRole("button", { name: "Grant servers…" }).click();
    const picker = page.getByRole("dialog");
    // The partner may be there before the servers are.
    await picker.getByRole("checkbox").nth(3).waitFor();
    assert.equal(await picker.getByText("It is granted all your servers already.").count(), 0);
    // All in one go, before the first tick can be drawn: none may get lost.
    await picker.locator(".pick-list").evaluate((list) => {
      for (const box of list.querySelectorAll("input")) box.click();
    });
    await picker.getByRole("radio", { name: "All tools" }).waitFor();
    await picker.getByRole("button", { name: "Grant 4 servers" }).click();
    await picker.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show 1 more" }).waitFor();
    await becomes(() => page.locator(".grant").count(), 4);
    await page.getByText("It is granted all your servers already.").waitFor();
    await page.getByRole("button", { name: "Show 1 more" }).click();
    await becomes(() => page.locator(".grant").count(), 5);
    const large = grantRow(page, "many");
    await large.getByText("The server has too many tools for partners").waitFor();
    await large.getByText("No tools in the next turn").waitFor();
    await grantRow(page, "one").getByText("Its server is paused").waitFor();
    await accessible(page, "five servers");
    await large.getByRole("link", { name: "many" }).click();
    // Its own page says so, too.
    await page.getByRole("heading", { level: 1, name: "many" }).waitFor();
    await page.locator(".server-body .notes summary").click();
    await page.getByText("The server has too many tools for partners").waitFor();
  });
});

test("what keeps a granted server from offering tools comes with the act that mends it, and its failure", async () => {
  const paused = await create("sleeping", `http://127.0.0.1:${many.port}/mcp`);
  const unread = await create("unread", "http://127.0.0.1:9/mcp");
  await call("servers.setState", { id: unread, state: "active" });
  const { id } = await call<{ id: string }>("partners.create", { name: "Mender" });
  for (const serverId of [paused, unread]) await call("partners.grant", { partnerId: id, serverId, scope: "all" });
  await call("partners.setEnabled", { partnerId: id, enabled: true });
  await at(`/#/partners/${id}`, async (page) => {
    const row = grantRow(page, "unread");
    await row.getByRole("button", { name: "Read tools" }).click();
    await row.getByText("Nothing listens at this address").waitFor();
    await grantRow(page, "sleeping").getByRole("button", { name: "Activate and connect…" }).click();
    await page.getByRole("dialog", { name: "Activate and connect sleeping" }).waitFor();
  });
  await call("partners.remove", { partnerId: id });
  for (const server of [paused, unread]) await call("servers.remove", { id: server });
});

test("what happens elsewhere is shown: permissions, pauses, other pages' grants and names", async () => {
  const { id } = await partner("Research");
  for (const name of ["one", "two", "three", "many"]) {
    const { servers } = await call<{ servers: { id: string; displayName: string }[] }>("servers.list", {});
    const server = servers.find((one) => one.displayName === name);
    await call("partners.revoke", { partnerId: id, serverId: server?.id });
  }
  await at(`/#/partners/${id}`, async (page) => {
    await page.getByText("The next turn offers 2 tools.").waitFor();
    await call("tools.setPermission", { id: readId, nativeName: "get-sum", permission: "off" });
    await page.getByText("The next turn offers 1 tool.").waitFor();
    await call("servers.setState", { id: readId, state: "paused" });
    await page.getByText("The next turn offers no tools.").waitFor();
    await grantRow(page, "everything").getByText("Its server is paused").waitFor();
    await call("servers.setState", { id: readId, state: "active" });
    await page.getByText("The next turn offers 1 tool.").waitFor();
    await call("partners.rename", { partnerId: id, name: "Librarian" });
    await page.getByRole("heading", { level: 1, name: "Librarian" }).waitFor();
    await call("partners.setEnabled", { partnerId: id, enabled: false });
    await page.getByText("With MCP on it would offer 1 tool.").waitFor();
    await call("partners.setEnabled", { partnerId: id, enabled: true });
    await call("partners.revoke", { partnerId: id, serverId: readId });
    await page.getByText("No servers granted yet").waitFor();
  });
});

test("a partner is renamed, and removed only after saying what goes with it; the focus stays in reach", async () => {
  await call("partners.grant", { partnerId: (await partner("Librarian")).id, serverId: readId });
  await at("/#/partners", async (page) => {
    const menu = (name: string) =>
      page.locator(".servers-pane").getByRole("button", { name: `More actions for ${name}` });
    await menu("Librarian").click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("  Old   Librarian ");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await page.getByRole("link", { name: "Old Librarian" }).waitFor();
    await becomes(() => focused(page, "aria-haspopup"), "menu");

    await menu("Old Librarian").click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    const confirm = page.getByRole("dialog", { name: "Remove Old Librarian?" });
    await confirm.getByText("what it was granted: 1 server").waitFor();
    await accessible(page, "removing a partner");
    await page.keyboard.press("Enter"); // Cancel has the focus.
    await confirm.waitFor({ state: "detached" });
    assert.equal((await partners()).length, 1);
    await menu("Old Librarian").click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await confirm.getByRole("button", { name: "Remove partner" }).click();
    await page.getByText("No partners yet").waitFor();
    await becomes(() => page.evaluate(() => document.activeElement?.tagName), "H1");
    assert.deepEqual(await partners(), []);
  });
});

test("narrow, dark and in Chinese it is one after the other, and accessible", async () => {
  const { id } = await call<PartnerNow>("partners.create", { name: "<b>同伴</b>\u202eevil" });
  await call("partners.grant", { partnerId: id, serverId: readId });
  await at(
    "/#/partners",
    async (page) => {
      await page.getByRole("link", { name: /同伴/ }).click();
      await page.getByText("这个伙伴的 MCP 已关闭").waitFor();
      await becomes(() => page.evaluate(() => document.activeElement?.tagName), "H1");
      await page.locator(".server-head .hidden-mark").waitFor();
      await grantRow(page, "everything").waitFor();
      await accessible(page, "a partner, narrow");
      await page.getByRole("link", { name: "返回伙伴列表" }).click();
      await page.getByRole("link", { name: /同伴/ }).waitFor();
      await accessible(page, "the list, narrow");
    },
    { viewport: { width: 375, height: 812 }, colorScheme: "dark", locale: "zh-CN" },
  );
  await call("partners.remove", { partnerId: id });
});

test("a damaged file of partners is a failure with a way on, never an empty list", async () => {
  await toolgate.stop();
  await writeFile(join(data.path, "partners.json"), "{ torn");
  toolgate = await serve(data.path);
  await at("/#/partners", async (page) => {
    await page.getByText("Your partners could not be loaded").waitFor();
    assert.equal(await page.getByText("No partners yet").count(), 0);
    await accessible(page, "partners that cannot be read");
    await page.locator(".pane-part").getByRole("button", { name: "Try again" }).click();
    await page.getByText("Your partners could not be loaded").waitFor();
  });
});
