// Where a person who knows other programs goes wrong first: what is pasted is no JSON, the back button is pressed in a
// dialog, an address is mistyped and noticed only when nothing answers there.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Locator, Page } from "playwright-core";

import { standBetween } from "./support/between.ts";
import { launch } from "./support/chromium.ts";
import { startFormServer, type FormServer } from "./support/form-server.ts";
import { accessible, becomes, retype, withPage } from "./support/page.ts";
import { freePort } from "./support/process.ts";
import { ask, dataFolder, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let hotel: FormServer;
let data: DataFolder;
let toolgate: Toolgate;
let hotelId: string;

const call = <T>(method: string, params: unknown): Promise<T> => ask<T>(data.path, method, params);

before(async () => {
  [browser, hotel, data] = await Promise.all([launch(), startFormServer(), dataFolder()]);
  const config = { type: "http", url: hotel.url };
  hotelId = (await call<{ id: string }>("servers.create", { displayName: "Hotel", config })).id;
  await call("servers.setState", { id: hotelId, state: "active" });
  await call("servers.discover", { id: hotelId });
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await hotel?.stop();
  await data?.remove();
});

const at = (path: string, use: (page: Page) => Promise<void>, options = {}): Promise<void> =>
  withPage(browser, toolgate.address, path, use, options);
const dialog = (page: Page): Locator => page.locator("dialog[open]");
const openAdd = async (page: Page): Promise<Locator> => {
  await page.getByRole("button", { name: "Add server" }).click();
  const editor = dialog(page).locator(".cm-content");
  await editor.waitFor();
  return editor;
};

test("an address or a command in place of JSON goes into the form, and is added from there", async () => {
  await at("/#/", async (page) => {
    await retype(await openAdd(page), "https://docs.example/mcp");
    await dialog(page).getByText("This is an address and no JSON").waitFor();
    await accessible(page, "an address in place of JSON");
    await dialog(page).getByRole("button", { name: "Put it in the form" }).click();
    const name = dialog(page).getByLabel("Name");
    await becomes(() => name.evaluate((field) => field === document.activeElement), true);
    await becomes(() => dialog(page).getByLabel("Endpoint").inputValue(), "https://docs.example/mcp");

    // The same by the tab alone; what the form had besides stays.
    await name.fill("Notes");
    await dialog(page).getByRole("tab", { name: "JSON" }).click();
    const editor = dialog(page).locator(".cm-content");
    await becomes(async () => (await editor.innerText()).includes("docs.example"), true);
    await retype(editor, "npx -y @example/notes /srv/notes");
    await dialog(page).getByText("This is a command and no JSON").waitFor();
    await dialog(page).getByRole("tab", { name: "Form" }).click();
    await becomes(() => dialog(page).getByLabel("Arguments").inputValue(), "-y\n@example/notes\n/srv/notes\n");
    await becomes(() => name.inputValue(), "Notes");
    await dialog(page).getByRole("button", { name: "Add server" }).click();
    await page.getByRole("heading", { level: 1, name: "Notes" }).waitFor();
    const { servers } = await call<{ servers: { id: string; displayName: string; target: string }[] }>(
      "servers.list",
      {},
    );
    const notes = servers.find(({ displayName }) => displayName === "Notes");
    assert.equal(notes?.target, "npx");
    await call("servers.remove", { id: notes.id });
  });
});

test("the back button closes a dialog with the screen it belongs to, and what was typed is kept", async () => {
  await at("/#/", async (page) => {
    await page.getByRole("link", { name: "Hotel" }).click();
    await page.getByRole("heading", { level: 1, name: "Hotel" }).waitFor();
    await retype(await openAdd(page), '{ "docs": { "url": "https://docs.example/mcp" } }');
    await page.goBack();
    await dialog(page).waitFor({ state: "detached" });
    await page.getByText("Choose a server").waitFor();
    const editor = await openAdd(page);
    await dialog(page).getByText("You are continuing your draft.").waitFor();
    await becomes(async () => (await editor.innerText()).includes("docs.example"), true);
  });
});

test("a mistyped address is mended from where it failed", async () => {
  const config = { type: "http", url: `http://127.0.0.1:${await freePort()}/mcp` };
  const { id } = await call<{ id: string }>("servers.create", { displayName: "Inn", config });
  await at(`/#/servers/${id}`, async (page) => {
    await page.locator(".server-body").getByRole("button", { name: "Activate and connect" }).click();
    await dialog(page).getByRole("button", { name: "Activate and connect" }).click();
    await dialog(page).getByText("It is active, but its tools could not be read").waitFor();
    await dialog(page).getByRole("button", { name: "Edit…" }).click();
    await page.getByRole("dialog", { name: "Edit Inn" }).waitFor();
    await dialog(page).getByLabel("Endpoint").fill(hotel.url);
    await dialog(page).getByRole("button", { name: "Save and keep active" }).click();
    await dialog(page).waitFor({ state: "detached" });
    // What failed is over; what comes next is offered on the server's page and with the result.
    await page.locator(".server-body").getByRole("button", { name: "Read tools" }).waitFor();
    await page.locator(".notice", { hasText: "Inn was saved." }).getByRole("button", { name: "Read tools" }).click();
    await page.getByRole("button", { name: /^book_room/ }).waitFor();
  });
  await call("servers.remove", { id });
});

test("an empty form says of each field that it is missing, in the place of its hint", async () => {
  await at("/#/", async (page) => {
    await page.getByRole("button", { name: "Add server" }).click();
    await dialog(page).getByRole("tab", { name: "Form" }).click();
    await dialog(page).getByText("How you will recognise it here.").waitFor();
    await dialog(page).getByRole("button", { name: "Add server" }).click();
    await dialog(page).getByText("The endpoint is missing.").waitFor();
    await dialog(page).getByText("The name is missing.").waitFor();
    assert.equal(await dialog(page).getByText("How you will recognise it here.").count(), 0);
    await dialog(page).getByLabel("Endpoint").fill("nowhere");
    await dialog(page).getByText("The endpoint is missing.").waitFor({ state: "detached" });
  });
});

test("a pause that fails says so, by what was tried", async () => {
  const context = await browser.newContext({ locale: "en-US" });
  try {
    const page = await context.newPage();
    await standBetween(page, { "servers.setState": { refuse: "mcp.data_directory_unusable", message: "Read-only." } });
    await page.goto(toolgate.address);
    await page.getByRole("switch", { name: "Hotel active" }).click();
    await page.locator(".notice").getByText("Hotel could not be paused").waitFor();
    assert.equal(await page.getByRole("switch", { name: "Hotel active" }).getAttribute("aria-checked"), "true");
  } finally {
    await context.close();
  }
});

test("how many tools are Off is said of a server that is picked for a partner, before it is granted", async () => {
  const partner = await call<{ id: string }>("partners.create", { name: "Writer" });
  const { tools } = await call<{ tools: { nativeName: string }[] }>("servers.discover", { id: hotelId });
  await call("tools.setPermission", { id: hotelId, nativeName: tools[0]?.nativeName, permission: "allow" });
  await at(`/#/partners/${partner.id}`, async (page) => {
    await page.getByRole("button", { name: "Grant servers…" }).first().click();
    await dialog(page).getByRole("checkbox").check();
    await dialog(page)
      .getByText(`${tools.length} tools, ${tools.length - 1} Off`)
      .waitFor();
  });
  await call("partners.remove", { partnerId: partner.id });
});
