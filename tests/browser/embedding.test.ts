// The manager API where docs/embedding.md says that it can be used: the page's examples run as they are written there. And
// who is not let in, and what a page is told after its host was started again.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { newPage, otherPage, ownPage, ready, rejection } from "./support/manager-api.ts";
import { startOtherSite, type OtherSite } from "./support/other-site.ts";
import { freePort } from "./support/process.ts";
import { BINARY, dataFolder, newDataFolder, serve, startBridge } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;
let site: OtherSite;
let document: string;

before(async () => {
  const path = new URL("../../docs/embedding.md", import.meta.url);
  [browser, everything, site, document] = await Promise.all([
    launch(),
    startEverything(),
    startOtherSite(),
    readFile(path, "utf8"),
  ]);
});

after(async () => {
  await browser?.close();
  await everything?.stop();
  await site?.stop();
});

/** The code of an example, with what a reader puts in for himself. */
function example(name: string, insert: Record<string, string>): string {
  const found = document.match(new RegExp(`<!-- test: ${name} -->\n\`\`\`js\n(.*?)\`\`\``, "s"))?.[1];
  assert.ok(found, `docs/embedding.md has no example ${name}`);
  return Object.entries(insert).reduce((code, [from, to]) => {
    assert.ok(code.includes(from), `${name} has no ${from}`);
    return code.replaceAll(from, to);
  }, found);
}

/** Runs a module's code in a page; answers what it says on the console. */
async function runModule(page: Page, code: string): Promise<string[]> {
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  // A script as a page has it: imports are where they are written, and the promise is of its last line.
  await page.evaluate((code) => {
    const script = window.document.createElement("script");
    script.type = "module";
    script.textContent = `${code}\nwindow.dispatchEvent(new Event("example-done"));`;
    const done = new Promise((resolve, reject) => {
      addEventListener("example-done", resolve, { once: true });
      addEventListener("error", ({ message }) => reject(new Error(message)), { once: true });
      addEventListener("unhandledrejection", ({ reason }) => reject(reason as Error), { once: true });
    });
    window.document.head.append(script);
    return done.then(() => undefined);
  }, code);
  return said;
}

/** What the first example does with a server, in a page that has the API. */
async function useServer(page: Page): Promise<void> {
  const code = example("own-page", { "endpoint }": `endpoint: "${everything.url}" }` });
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.evaluate(`(async () => { ${code} })()`);
  assert.equal(said.length, 2, said.join("\n"));
  assert.match(said[0] ?? "", /echo: off/);
  const [server] = (await page.evaluate(() => window.__TAURITAVERN__.api.mcp.servers.list())).servers.filter(
    ({ displayName }) => displayName === "everything",
  );
  assert.deepEqual(server?.toolPermissions, { echo: "ask" });
}

test("the example for Toolgate's own page", async () => {
  const data = await dataFolder();
  const toolgate = await serve(data.path);
  const page = await ownPage(browser, toolgate.address);
  try {
    await useServer(page);
  } finally {
    await page.close();
    await toolgate.stop();
    await data.remove();
  }
});

test("the example for a page of another site", async () => {
  const data = await dataFolder();
  const toolgate = await serve(data.path, { allowOrigin: site.origin });
  const page = await newPage(browser);
  try {
    const { origin, searchParams } = new URL(toolgate.address);
    await page.goto(site.origin);
    const insert = { "http://127.0.0.1:7640": origin, "token }": `token: "${searchParams.get("token")}" }` };
    const said = await runModule(page, example("other-page", insert));
    assert.deepEqual(said, ["Toolgate: connecting", "Toolgate: open"]);
    await useServer(page);
  } finally {
    await page.close();
    await toolgate.stop();
    await data.remove();
  }
});

/** Puts the beginnings of a WebView into a page of another site: `carry` leads to a host that is a child process. */
async function withCarry(use: (page: Page) => Promise<void>): Promise<void> {
  const data = await dataFolder();
  const bridge = startBridge(data.path);
  const page = await newPage(browser);
  try {
    await page.exposeFunction("carry", (message: string) => bridge.exchange(message));
    await page.goto(site.origin);
    await use(page);
    await useServer(page);
  } finally {
    await page.close();
    await bridge.stop();
    await data.remove();
  }
}

test("the example for a WebView, its function leading to a host that is a child process", () =>
  withCarry(async (page) => {
    await page.evaluate(() => {
      const { carry } = window as unknown as { carry(message: string): Promise<string> };
      const invoke = (command: string, { message }: { message: string }) =>
        command === "toolgate" ? carry(message) : Promise.reject(new Error(`command ${command} not found`));
      Object.assign(window, { __TAURI__: { core: { invoke } } });
    });
    await runModule(page, example("webview", {}));
  }));

test("the example for an IPC that goes one way", () =>
  withCarry(async (page) => {
    await page.evaluate(() => {
      const { carry } = window as unknown as { carry(message: string): Promise<string> };
      const ipc: { post(message: string): void; receive?: (message: string) => void } = {
        post: (message) => void carry(message).then((answer) => ipc.receive?.(answer)),
      };
      Object.assign(window, { __TOOLGATE_IPC__: ipc });
    });
    await runModule(page, example("one-way", {}));
  }));

test("the example of a child process", async () => {
  const data = await newDataFolder();
  try {
    const code = example("child", {
      '"toolgate"': JSON.stringify(BINARY),
      dataDirectory: JSON.stringify(data.path),
    });
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
    assert.deepEqual(stdout.trim().split("\n").sort(), ["changed: servers", "created: example"]);
  } finally {
    await data.remove();
  }
});

test("a page without the token, or of a site that is not named, is not let in", async () => {
  const data = await dataFolder();
  const toolgate = await serve(data.path, { allowOrigin: site.origin });
  const address = new URL(toolgate.address);
  address.searchParams.set("token", "0".repeat(64));
  const page = await otherPage(browser, address.href, site);
  try {
    await page.waitForFunction(() => (window as { states?: string[] }).states?.includes("lost"));
    assert.equal((await rejection(page, "servers.list", ""))?.code, "mcp.host_required");
    // By number it is another origin than by name.
    await page.goto(site.origin.replace("localhost", "127.0.0.1"));
    const closed = await page.evaluate(
      ({ url, token }) =>
        new Promise<string>((resolve) => {
          const socket = new WebSocket(url, ["toolgate", `toolgate.bearer.${token}`]);
          socket.onopen = () => resolve("open");
          socket.onclose = () => resolve("closed");
        }),
      {
        url: new URL("/ws", toolgate.address).href.replace("http", "ws"),
        token: new URL(toolgate.address).searchParams.get("token"),
      },
    );
    assert.equal(closed, "closed");
  } finally {
    await page.close();
    await toolgate.stop();
    await data.remove();
  }
});

test("a page whose host was started again is told to open the new address, and goes on once that is done", async () => {
  const data = await dataFolder();
  const port = await freePort();
  let toolgate = await serve(data.path, { port });
  const context = await browser.newContext({ locale: "en-US" });
  try {
    const page = await context.newPage();
    await page.goto(toolgate.address);
    await ready(page);
    await toolgate.stop();
    await page.getByText("Toolgate is not answering").waitFor();
    toolgate = await serve(data.path, { port });
    await page.getByText("Toolgate was started again").waitFor();
    const another = await context.newPage();
    await another.goto(toolgate.address);
    await page.getByText("Toolgate was started again").waitFor({ state: "hidden" });
    await page.evaluate(() => window.__TAURITAVERN__.api.mcp.servers.list());
  } finally {
    await context.close();
    await toolgate.stop();
    await data.remove();
  }
});
