// The page as a person meets it: accessible in both themes and languages, by keyboard, without losing what was typed, and
// without its host.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { accessible, becomes, focused, withPage } from "./support/page.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;
let data: DataFolder;
let toolgate: Toolgate;
/** An active server whose tools have been read. */
let readId: string;

before(async () => {
  [browser, everything, data] = await Promise.all([launch(), startEverything(), dataFolder()]);
  const create = async (displayName: string, url: string) => {
    const { result } = await rpc(data.path, "servers.create", { displayName, config: { type: "http", url } });
    return (result as { id: string }).id;
  };
  readId = await create("everything", everything.url);
  await create("resting", "http://user:secret@internal.example/mcp?team=blue");
  await rpc(data.path, "servers.setState", { id: readId, state: "active" });
  await rpc(data.path, "servers.discover", { id: readId });
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await everything?.stop();
  await data?.remove();
});

interface View {
  width?: number;
  colorScheme?: "light" | "dark";
  locale?: string;
}

function inPage(view: View, path: string, use: (page: Page) => Promise<void>): Promise<void> {
  const { width = 1440, ...rest } = view;
  return withPage(browser, toolgate.address, path, use, { viewport: { width, height: 900 }, ...rest });
}

for (const width of [375, 844, 1440]) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [locale, add] of [
      ["en-US", "Add server"],
      ["zh-CN", "添加服务器"],
    ] as const) {
      test(`accessible: ${width} px, ${colorScheme}, ${locale}`, async () => {
        await inPage({ width, colorScheme, locale }, "/#/", async (page) => {
          await page.getByRole("link", { name: "everything" }).waitFor();
          await accessible(page, "the list");
          await page.getByRole("button", { name: add }).click();
          await page.locator(".cm-content").fill('{ "docs": { "url": "http://docs.example/mcp", "enabled": true, } }');
          await page.locator(".check-title.success").waitFor();
          await accessible(page, "adding");
          await page.keyboard.press("Escape");
          await page.getByRole("link", { name: "everything" }).click();
          await page.getByRole("button", { name: "echo" }).click();
          await page.locator(".tool-details").waitFor();
          await accessible(page, "a server");
        });
      });
    }
  }
}

test("the exact endpoint is shown before a server is activated, warnings included", async () => {
  await inPage({}, "/#/", async (page) => {
    await page.getByRole("switch", { name: "resting active" }).click();
    const dialog = page.getByRole("dialog", { name: "Activate and connect resting" });
    await dialog.getByText("http://user:secret@internal.example/mcp?team=blue").waitFor();
    await dialog.getByText("The endpoint is plain http").waitFor();
    await accessible(page, "activating");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await becomes(() => page.getByRole("switch", { name: "resting active" }).getAttribute("aria-checked"), "false");
    await becomes(() => focused(page, "aria-label"), "resting active");
  });
});

test("the folder, the command and, once asked for, the values of a program are shown wherever it is decided on", async () => {
  const config = {
    type: "stdio",
    command: "/no/such/program",
    args: ["--all"],
    env: { API_KEY: "of-this-test" },
    cwd: "/srv/of a person",
  };
  const { result } = await rpc(data.path, "servers.create", { displayName: "program", config });
  const { id } = result as { id: string };
  await inPage({}, `/#/servers/${id}`, async (page) => {
    await page.getByRole("button", { name: "Show the whole command" }).click();
    await page.locator(".whole-address").getByText("/srv/of a person").waitFor();

    await page.getByRole("switch", { name: "program active" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Activate and connect program" });
    await dialog.getByText("/srv/of a person").waitFor();
    await dialog.getByText("What it may do").waitFor();
    assert.doesNotMatch(await dialog.innerText(), /of-this-test|What is sent/);
    await dialog.getByRole("button", { name: "Show saved values" }).click();
    await dialog.getByText("API_KEY=of-this-test").waitFor();
    await accessible(page, "activating a program");
    await dialog.getByRole("button", { name: "Hide" }).click();
    await dialog.getByText("API_KEY", { exact: true }).waitFor();
    await page.keyboard.press("Escape");

    const text = JSON.stringify({ mcpServers: { another: config } });
    await page.getByRole("button", { name: "Add server" }).click();
    await page.locator(".cm-content").fill(text);
    await page.getByRole("dialog").locator("dd", { hasText: "/srv/of a person" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Import" }).click();
    await page.locator(".cm-content").fill(text);
    await page.locator(".import-entry").getByText("Working folder: /srv/of a person").waitFor();
  });
  await rpc(data.path, "servers.remove", { id });
});

test("adding and importing begin in the editor", async () => {
  await inPage({}, "/#/", async (page) => {
    for (const name of ["Add server", "Import"]) {
      await page.getByRole("button", { name }).click();
      await page.locator(".cm-content:focus").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
    }
  });
});

test("after adding by keyboard the focus is at the new server; a menu goes when the focus does", async () => {
  await inPage({}, `/#/servers/${readId}`, async (page) => {
    await page.getByRole("radiogroup", { name: "echo" }).waitFor();
    await page.locator(".server-tools").getByRole("button", { name: "More actions for everything" }).press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("/");
    await becomes(() => focused(page, "aria-label"), "Search tools");
    await becomes(() => page.getByRole("menu").count(), 0);

    await page.getByRole("button", { name: "Add server" }).press("Enter");
    await page.locator(".cm-content").fill('{ "added": { "url": "https://added.example/mcp" } }');
    await page.getByRole("dialog").getByRole("button", { name: "Add server" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "added" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    await becomes(() => page.evaluate(() => document.activeElement?.textContent), "added");
  });
});

test("tools are decided on by keyboard alone", async () => {
  await inPage({}, `/#/servers/${readId}`, async (page) => {
    const chosen = (tool: string, permission: string) =>
      page
        .getByRole("radiogroup", { name: tool, exact: true })
        .getByRole("radio", { name: permission, checked: true })
        .waitFor();
    await page.getByRole("radiogroup", { name: "echo" }).waitFor();
    await page.keyboard.press("/");
    await becomes(() => focused(page, "aria-label"), "Search tools");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("2");
    await chosen("echo", "Ask");
    await page.keyboard.press("3");
    await chosen("echo", "Allow");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowLeft");
    await chosen("echo", "Ask");
    await page.keyboard.press("1");
    await chosen("echo", "Off");
    await page.keyboard.press("ArrowDown");
    await becomes(() => focused(page, "role"), "radio");
    // The focus goes with the decision: Space would take the one it stands on.
    await page.keyboard.press("3");
    await becomes(() => focused(page, "aria-checked"), "true");
  });
});

test("many tools are set at once, and that can be undone", async () => {
  await inPage({}, `/#/servers/${readId}`, async (page) => {
    const all = Number(/\d+/.exec((await page.getByRole("radio", { name: /^All \d/ }).textContent()) ?? "")?.[0]);
    await page.getByRole("button", { name: `Set all ${all} tools…` }).click();
    await page.getByRole("menuitem", { name: `Set ${all} tools to Ask` }).click();
    await page.getByRole("radio", { name: `Ask ${all}` }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("radio", { name: "Ask 0" }).waitFor();
    await page.getByText("Undone.").waitFor();
  });
});

test("a draft outlives Escape three times, the backdrop and a look at the other tab", async () => {
  await inPage({}, "/#/", async (page) => {
    const open = () => page.getByRole("button", { name: "Add server" }).click();
    const draft = '{ "kept": { "url": "https://kept.example/mcp" } }';
    await open();
    await page.locator(".cm-content").fill(draft);
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await open();
    await becomes(() => page.locator(".cm-content").textContent(), draft);
    await page.mouse.click(5, 5);
    await page.locator("dialog").waitFor({ state: "detached" });
    await open();
    await page.getByRole("tab", { name: "Form" }).click();
    await page.getByRole("tab", { name: "JSON" }).click();
    await becomes(() => page.locator(".cm-content").textContent(), draft);
  });
});

test("an error in the JSON is shown at its line, and adding waits for it", async () => {
  await inPage({}, "/#/", async (page) => {
    await page.getByRole("button", { name: "Add server" }).click();
    const dialog = page.getByRole("dialog", { name: "Add server" });
    await dialog.locator(".cm-content").fill('{\n  "docs": {\n    "url": 3\n  }\n}');
    await dialog.getByRole("button", { name: /^Go to line 3,/ }).click();
    await dialog.locator(".cm-lint-marker-error").waitFor();
    await dialog.getByRole("button", { name: "Add server" }).click();
    assert.ok(await dialog.isVisible());
  });
});

test("JSON typed as fast as keys can be sent arrives whole, and the page goes on", async () => {
  const text = '{"fast": {"url": "https://mcp.example.com/mcp", "headers": {"X-Team": "docs"}}}';
  for (let round = 0; round < 5; round += 1) {
    await inPage({}, "/#/", async (page) => {
      await page.getByRole("button", { name: "Add server" }).click();
      const dialog = page.getByRole("dialog", { name: "Add server" });
      await dialog.locator(".cm-content").click();
      await page.keyboard.type(text);
      await becomes(() => dialog.locator(".cm-content").innerText(), text);
      await dialog.getByText("https://mcp.example.com/mcp").first().waitFor();
    });
  }
});

test("without its host the page says so and sends nothing", async () => {
  await inPage({}, `/#/servers/${readId}`, async (page) => {
    await page.getByRole("radiogroup", { name: "echo" }).waitFor();
    await toolgate.stop();
    await page.getByText("Toolgate is not answering").waitFor();
    await page.getByRole("radiogroup", { name: "echo" }).getByRole("radio", { name: "Allow" }).click();
    await page.locator(".notices").getByText("Nothing was sent").waitFor();
    await page.getByRole("radiogroup", { name: "echo" }).getByRole("radio", { name: "Off", checked: true }).waitFor();
  });
  toolgate = await serve(data.path);
});
