// What a person does while something is wrong: a list that cannot be read, a damaged file, a server that is down or slow, a
// configuration that cannot be read or was changed meanwhile, a save that is refused, a name that is taken.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Browser, Locator, Page } from "playwright-core";

import { standBetween } from "./support/between.ts";
import { launch } from "./support/chromium.ts";
import { startFormServer, type FormServer } from "./support/form-server.ts";
import { accessible, withPage } from "./support/page.ts";
import { freePort } from "./support/process.ts";
import { startSlowServer, type SlowServer } from "./support/slow-server.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let hotel: FormServer;
let slow: SlowServer;
let data: DataFolder;
let toolgate: Toolgate;
/** Servers: active with its tools read; where nothing listens yet; that does not answer; with saved secrets. */
let hotelId: string;
let downId: string;
let downPort: number;
let slowId: string;
let secretId: string;

async function call<T>(method: string, params: unknown): Promise<T> {
  const answer = await rpc(data.path, method, params);
  assert.equal(answer.code, 0, JSON.stringify(answer.error));
  return answer.result as T;
}
const create = async (displayName: string, url: string): Promise<string> =>
  (await call<{ id: string }>("servers.create", { displayName, config: { type: "http", url } })).id;

before(async () => {
  [browser, hotel, data, downPort] = await Promise.all([launch(), startFormServer(), dataFolder(), freePort()]);
  slow = await startSlowServer(hotel.url);
  hotelId = await create("Hotel", hotel.url);
  downId = await create("Down", `http://127.0.0.1:${downPort}/mcp`);
  slowId = await create("Slow", slow.url);
  secretId = await create("Secret", "http://user:word@internal.example:8123/mcp?team=blue");
  for (const id of [hotelId, slowId]) await call("servers.setState", { id, state: "active" });
  await call("servers.discover", { id: hotelId });
  await call("tools.setPermission", { id: hotelId, nativeName: "gone", permission: "allow" });
  await writeFile(join(data.path, "_tauritavern/mcp/registrations/broken.json"), "{");
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await slow?.stop();
  await hotel?.stop();
  await data?.remove();
});

const at = (id: string): string => `/#/servers/${id}`;
const on = (path: string, use: (page: Page) => Promise<void>, options = {}) =>
  withPage(browser, toolgate.address, path, use, options);
const dialog = (page: Page): Locator => page.locator("dialog[open]");
const menu = async (page: Page, name: string, item: string): Promise<void> => {
  await page
    .locator(".server-tools")
    .getByRole("button", { name: `More actions for ${name}` })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("a list that cannot be read is a failure with a way on, never the empty list", async () => {
  const context = await browser.newContext({ locale: "en-US" });
  try {
    const page = await context.newPage();
    const between = await standBetween(page, { "servers.list": { refuse: "mcp.data_directory_unusable" } });
    await page.goto(toolgate.address);
    await page.getByRole("alert").getByText("Your servers could not be loaded").waitFor();
    await accessible(page, "the list could not be read");
    assert.equal(await page.getByText("No servers yet").count(), 0);
    between.treat("servers.list", undefined);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "Hotel" }).waitFor();
    await page.getByText("Your servers could not be loaded").waitFor({ state: "detached" });
  } finally {
    await context.close();
  }
});

test("a damaged file is named beside the servers, and removed only after saying what goes", async () => {
  await on("/#/", async (page) => {
    await page.getByRole("link", { name: "Hotel" }).waitFor();
    await page.getByText("1 file could not be used").click();
    await page.getByRole("button", { name: "Remove file broken.json" }).click();
    await dialog(page).getByText("deleted from the data folder for good").waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "Remove file broken.json",
    );
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("button", { name: "Remove file" }).click();
    await page.getByText("broken.json was removed.").waitFor();
    await page.getByText("1 file could not be used").waitFor({ state: "detached" });
  });
});

test("a name that is taken is said while it is typed, in the form and in the JSON, and keeps nothing back", async () => {
  await on("/#/", async (page) => {
    await page.getByRole("button", { name: "Add server" }).click();
    await dialog(page).locator(".cm-content").fill('{ "Hotel": { "url": "https://hotel.example/mcp" } }');
    await dialog(page).getByText("Another server has this name").waitFor();
    await dialog(page).getByText("Ready to add").waitFor();
    await dialog(page).getByRole("tab", { name: "Form" }).click();
    await dialog(page).getByText("Another server has this name").waitFor();
    assert.equal(await dialog(page).getByText("displayName").count(), 0);
    await dialog(page).getByRole("button", { name: "Add server" }).click();
    await page.getByRole("heading", { name: "Hotel", level: 1 }).waitFor();
    await page.getByText("Hotel was added.").waitFor();
    await menu(page, "Hotel", "Remove…");
    await dialog(page).getByText("its connection to https://hotel.example, headers included").waitFor();
    await accessible(page, "removing");
    await dialog(page).getByRole("button", { name: "Remove server" }).click();
    await page.getByText("Hotel was removed.").waitFor();
  });
});

test("a save that the host refuses is told, and the draft goes on", async () => {
  const file = join(data.path, "credentials/dsh-partner-mcp.json");
  const good = await readFile(file);
  await on("/#/", async (page) => {
    await page.getByRole("button", { name: "Add server" }).click();
    await dialog(page).getByRole("tab", { name: "Form" }).click();
    await dialog(page).getByLabel("Name", { exact: true }).fill("Late");
    await dialog(page).getByLabel("Endpoint").fill("https://late.example/mcp");
    await writeFile(file, "{");
    try {
      await dialog(page).getByRole("button", { name: "Add server" }).click();
      await dialog(page).getByRole("alert").waitFor();
      assert.equal(await dialog(page).getByLabel("Endpoint").inputValue(), "https://late.example/mcp");
    } finally {
      await writeFile(file, good);
    }
    await dialog(page).getByRole("button", { name: "Add server" }).click();
    await page.getByText("Late was added.").waitFor();
  });
});

test("a configuration that cannot be read cannot be saved, and is read again on request", async () => {
  const file = join(data.path, "credentials/dsh-partner-mcp.json");
  const good = await readFile(file);
  await on(at(secretId), async (page) => {
    await page.getByRole("heading", { name: "Secret", level: 1 }).waitFor();
    await writeFile(file, "{");
    try {
      await menu(page, "Secret", "Edit…");
      await dialog(page).getByRole("alert").waitFor();
      assert.equal(await dialog(page).getByRole("button", { name: "Save", exact: true }).count(), 0);
    } finally {
      await writeFile(file, good);
    }
    await dialog(page).getByRole("button", { name: "Try again" }).click();
    await dialog(page).getByLabel("Endpoint").waitFor();
    await dialog(page).getByText("The saved address is kept. It leads to http://internal.example:8123").waitFor();
    assert.equal(await dialog(page).getByRole("button", { name: "Save", exact: true }).isDisabled(), true);
    assert.equal(await page.getByText("team=blue").count(), 0);
  });
});

test("what was changed since it was shown is not activated unseen", async () => {
  const id = await create("Moving", "http://127.0.0.1:1/before");
  await on(at(id), async (page) => {
    await page.getByRole("button", { name: "Activate and connect" }).click();
    await dialog(page).getByText("http://127.0.0.1:1/before").waitFor();
    const { revision } = await call<{ revision: string }>("servers.readConfig", { id });
    await call("servers.saveConfig", {
      id,
      displayName: "Moving",
      config: { type: "http", url: `http://127.0.0.1:${downPort}/after` },
      revision,
    });
    await dialog(page).getByRole("button", { name: "Activate and connect" }).click();
    await dialog(page).getByText("The server was changed elsewhere in the meantime.").waitFor();
    await dialog(page).getByText(`http://127.0.0.1:${downPort}/after`).waitFor();
    await page.locator(".server-tools").getByText("Paused").waitFor();
  });
});

test("a server that is down: said in the dialog, in view, with both ways on; and again once it is up", async () => {
  await on(
    at(downId),
    async (page) => {
      await page.getByRole("button", { name: "Activate and connect" }).click();
      await dialog(page).getByText(`http://127.0.0.1:${downPort}/mcp`).waitFor();
      await dialog(page).getByRole("button", { name: "Activate and connect" }).click();
      const failure = dialog(page).getByText("It is active, but its tools could not be read");
      await failure.waitFor();
      await page.waitForFunction(() => {
        const box = document.querySelector("dialog .box.error")?.getBoundingClientRect();
        const body = document.querySelector("dialog .dialog-body")?.getBoundingClientRect();
        return box && body && box.top < body.bottom - 20;
      });
      await accessible(page, "activated and not reached");
      await dialog(page).getByRole("button", { name: "Keep it active" }).click();
      await page.locator(".server-body").getByText("(connection refused)").waitFor();
      const up = await startFormServer(downPort);
      try {
        await page.locator(".server-body").getByRole("button", { name: "Try again" }).click();
        await page.getByRole("searchbox", { name: "Search tools" }).waitFor();
        await page.locator(".box.error").waitFor({ state: "detached" });
      } finally {
        await up.stop();
      }
    },
    { viewport: { width: 375, height: 600 } },
  );
});

test("a slow server holds nothing else up", async () => {
  await on(at(slowId), async (page) => {
    await page.getByRole("button", { name: "Read tools" }).click();
    await page.getByText("Reading the tools…").waitFor();
    await page.getByRole("link", { name: "Hotel" }).click();
    await page.getByRole("searchbox", { name: "Search tools" }).waitFor();
    const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Slow", exact: true }) });
    await row.getByText("Reading tools…").waitFor();
    slow.let();
    await row.getByText("11 tools").waitFor();
  });
});

test("a failed refresh is over once the server answers a call", async () => {
  const port = await freePort();
  let hostel = await startFormServer(port);
  const id = await create("Hostel", hostel.url);
  await call("servers.setState", { id, state: "active" });
  await call("servers.discover", { id });
  await hostel.stop();
  await on(at(id), async (page) => {
    await page.locator(".server-tools").getByRole("button", { name: "Refresh" }).click();
    const failed = page.getByText("What you see below is what was read before.");
    await failed.waitFor();
    await page.locator(".tool-open").first().waitFor();
    hostel = await startFormServer(port);
    try {
      const { outcome } = await call<{ outcome: string }>("tools.testCall", {
        id,
        nativeName: "answer",
        argumentsJson: "{}",
      });
      assert.equal(outcome, "known_response");
      await failed.waitFor({ state: "detached" });
      await page.getByText("Nothing listens at this address").waitFor({ state: "detached" });
    } finally {
      await hostel.stop();
    }
  });
});

test("decisions about tools that are gone are shown, cleared, and that is undone", async () => {
  await on(at(hotelId), async (page) => {
    await page.getByText("1 decision about a tool that is gone").click();
    await page.getByRole("button", { name: "Remove the decision about gone" }).click();
    await page.getByText("1 decision removed.").waitFor();
    await page.getByText("1 decision about a tool that is gone").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("1 decision about a tool that is gone").waitFor();
  });
});

test("tools that a person describes are found by the filter", async () => {
  await call("tools.setDescriptionOverride", { id: hotelId, nativeName: "answer", override: { description: "Mine." } });
  await on(at(hotelId), async (page) => {
    await page.getByRole("radiogroup", { name: "Show" }).getByRole("radio", { name: "Changed" }).click();
    await page.locator(".tool").getByText("Mine.").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".tool").length === 1);
  });
});

test("language and appearance are chosen, and kept", async () => {
  await on("/#/", async (page) => {
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("radio", { name: "简体中文" }).click();
    await page.getByRole("radio", { name: "深色" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "添加服务器" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "添加服务器" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
  });
});

test("in Chinese a mistake in the JSON is told in Chinese, with its particulars", async () => {
  await on(
    "/#/",
    async (page) => {
      await page.getByRole("button", { name: "添加服务器" }).click();
      const text = dialog(page).locator(".cm-content");
      await text.fill('{ "docs": { "url": 3, "headers": [] } }');
      await dialog(page).getByText("这里是数字，应为双引号中的文本。").waitFor();
      await dialog(page).getByText("这里是列表，应为 { } 中的对象，请对照示例。").waitFor();
      await text.fill('{ "docs": { "url": "https://a.example/mcp" "headers": {} } }');
      await dialog(page).getByText("这里缺少逗号。").waitFor();
      await text.fill('{ "docs": { "url": "https://a.example/mcp", "timeout": 3, } }');
      await dialog(page).getByText("Toolgate 有自己的时间限制。").waitFor();
      await dialog(page).getByText("已忽略：末尾逗号。").waitFor();
      assert.equal(await dialog(page).locator("[lang=en]").count(), 0);
    },
    { locale: "zh-CN" },
  );
});
