// The local server against hostile pages in a real browser, while its own page is open beside them: pages at another port,
// of another site, and at a name that was pointed at this computer (DNS rebinding). None gets an answer, and none does
// anything. What protects each is a header of ours that the browser enforces, or a refusal of the server.

import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Browser, BrowserContext, Page } from "playwright-core";

import { launch, launchWithProfile } from "./support/chromium.ts";
import { attack, startHostileSite, type HostileSite, type Victim } from "./support/hostile-site.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

/** Names that the browser takes for this computer, as after DNS rebinding. */
const REBOUND = "rebound.example";

let browser: Browser;
let site: HostileSite;
let data: DataFolder;
let toolgate: Toolgate;
let context: BrowserContext;
/** Toolgate's own page, with a session that the hostile pages' browser has as well. */
let own: Page;
let victim: Victim;
let token: string;

before(async () => {
  [browser, site, data] = await Promise.all([
    launch([`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`]),
    startHostileSite(),
    dataFolder(),
  ]);
  toolgate = await serve(data.path);
  context = await browser.newContext({ locale: "en-US" });
  // What the loader of these tests puts into functions that have names.
  await context.addInitScript("globalThis.__name = (value) => value");
  own = await context.newPage();
  await own.goto(toolgate.address);
  await own.getByRole("button", { name: "Add server" }).waitFor();
  const url = new URL(toolgate.address);
  token = url.searchParams.get("token") ?? "";
  const path = (selector: string, attribute: string) =>
    own.locator(selector).first().getAttribute(attribute).then(String);
  victim = {
    origin: url.origin,
    script: await path('script[type="module"]', "src"),
    style: await path('link[rel="stylesheet"]', "href"),
  };
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await site?.stop();
  await data?.remove();
});

/** Nothing was created, and the page that was open goes on. */
async function unharmed(): Promise<void> {
  const { result } = await rpc(data.path, "servers.list", {});
  assert.deepEqual((result as { servers: unknown[] }).servers, []);
  await own.reload();
  await own.getByRole("button", { name: "Add server" }).waitFor();
  await own.getByText("No servers yet").first().waitFor();
}

const everyone = (): [string, string][] => [
  ["a page at another port of the same name", `http://127.0.0.1:${site.port}/`],
  ["a page of another site", `http://localhost:${site.port}/`],
  ["a page at a name pointed here", `http://${REBOUND}:${site.port}/`],
];

test("the attacks are ones: from Toolgate's own page they get what it shows", async () => {
  const got = await own.evaluate(attack, victim);
  assert.match(got["fetch /"] ?? "", /^200 <!doctype html>/i);
  assert.match(got["fetch /start.js"] ?? "", /^200 history/);
  assert.equal(got[`script ${victim.script}`], "loaded");
  assert.equal(got["module"], "loaded");
  assert.equal(got["style"], "loaded");
  assert.match(got["storage"] ?? "", /^[0-9a-f]{64}$/);
  // Even here a session alone sends nothing, and its cookie cannot be read.
  assert.match(got["fetch POST"] ?? "", /^401 /);
  assert.equal(got["socket toolgate"], "nothing");
  assert.equal(got["cookie"], "nothing");
  await unharmed();
});

test("no hostile page gets anything or does anything", async () => {
  for (const [who, address] of everyone()) {
    const page = await context.newPage();
    await page.goto(address);
    const got = await page.evaluate(attack, victim);
    assert.ok(Object.keys(got).length > 30, `${who}: ${Object.keys(got).length} attacks`);
    assert.deepEqual(new Set(Object.values(got)), new Set(["nothing"]), `${who}: ${JSON.stringify(got, undefined, 1)}`);
    await page.close();
    await unharmed();
  }
});

test("a window that a hostile page opened is out of its reach", async () => {
  for (const [who, address] of everyone()) {
    const page = await context.newPage();
    await page.goto(address);
    const opening = context.waitForEvent("page");
    await page.evaluate(({ origin }) => {
      const heard: string[] = [];
      addEventListener("message", ({ data }) => heard.push(String(data)));
      Object.assign(window, { opened: window.open(`${origin}/`), heard });
    }, victim);
    const opened = await opening;
    // Until Toolgate has answered, what was opened is an empty page of the opener's own.
    await opened.waitForURL(`${victim.origin}/`);
    await opened.waitForLoadState();
    const got = await page.evaluate(async ({ origin }) => {
      const { opened, heard } = window as unknown as { opened: Window | null; heard: string[] };
      const tried = (attempt: () => unknown): unknown => {
        try {
          return attempt() ?? "nothing";
        } catch {
          return "nothing";
        }
      };
      const got = {
        document: tried(() => opened?.document.body.innerHTML),
        storage: tried(() => opened?.localStorage.getItem("toolgate.page")),
        location: tried(() => opened?.location.href),
        sent: tried(() => {
          opened?.postMessage({ jsonrpc: "2.0", id: 1, method: "servers.list" }, "*");
          opened?.postMessage("servers.list", origin);
        }),
        heard: [] as string[],
        severed: opened === null || opened.closed,
      };
      // Whatever would answer has done so when a message of our own has come.
      await new Promise((resolve) => {
        addEventListener("message", resolve, { once: true });
        postMessage("own", "*");
      });
      got.heard = heard;
      return got;
    }, victim);
    const nothing = { document: "nothing", storage: "nothing", location: "nothing", sent: "nothing" };
    assert.deepEqual(got, { ...nothing, heard: ["own"], severed: true }, who);
    // What was opened is a refusal, or where the browser says that no page sent it the page itself, alone.
    assert.equal(await opened.evaluate(() => window.opener), null, who);
    await opened.close();
    await page.close();
  }
  await unharmed();
});

test("no page can put Toolgate in a frame, not even with the right address", async () => {
  for (const [who, address] of everyone()) {
    const page = await context.newPage();
    await page.goto(address);
    await page.evaluate(
      (addresses) => {
        const frames = addresses.map((address) => {
          const frame = document.createElement("iframe");
          frame.src = address;
          const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
          document.body.append(frame);
          return loaded;
        });
        return Promise.all(frames).then(() => undefined);
      },
      [`${victim.origin}/`, toolgate.address, `${victim.origin}/?token=guessed`],
    );
    const frames = page.frames().slice(1);
    assert.equal(frames.length, 3);
    for (const frame of frames) {
      // Chromium's own page says that the other one refused; of another site it has no address at all.
      assert.match(frame.url(), /^(chrome-error:.*)?$/, who);
      assert.equal(await frame.locator("#app, main").count(), 0, who);
    }
    await page.close();
  }
  await unharmed();
});

test("a name that was pointed at this computer is refused, with a session or the token", async () => {
  const port = new URL(victim.origin).port;
  const page = await context.newPage();
  const rebound = `http://${REBOUND}:${port}`;
  for (const path of ["/", `/?token=${token}`, "/start.js", victim.script]) {
    const answer = await page.goto(rebound + path);
    assert.equal(answer?.status(), 403, path);
    assert.match((await answer?.text()) ?? "", /host name/, path);
  }
  // The refusal is a page of that name, so the browser lets scripts there read everything: there is nothing to read.
  const got = await page.evaluate(attack, { ...victim, origin: rebound });
  for (const [name, what] of Object.entries(got)) {
    assert.match(what, /^(nothing$|403 |read <(?:h1|main|pre))/, `${name}: ${what}`);
    assert.doesNotMatch(what, /jsonrpc|data-key|id="app"/, name);
  }
  await page.close();
  await unharmed();
});

test("a cookie that reaches another port is of no use there", async () => {
  // Browsers know no ports in cookies: whoever gets a person to open their port on this computer is sent the session's.
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${site.port}/`);
  await page.evaluate(() => fetch("/again").then(({ status }) => status));
  const cookie = site.received.map((headers) => headers.cookie ?? "").find((text) => text.includes("toolgate_session"));
  await page.close();
  assert.ok(cookie, "the browser keeps cookies of ports apart now: the page's key can go");
  const { origin } = victim;
  const ask = (path: string, headers: Record<string, string>, body = ""): Promise<number> =>
    new Promise((resolve, reject) => {
      const method = body === "" ? "GET" : "POST";
      const asked = request(origin + path, { method, headers: { Cookie: cookie, Origin: origin, ...headers } });
      asked.on("response", (answer) => resolve(answer.resume().statusCode ?? 0));
      asked.on("upgrade", (answer, socket) => {
        socket.destroy();
        resolve(answer.statusCode ?? 0);
      });
      asked.on("error", reject).end(body);
    });
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "servers.list", params: { reveal: true } });
  const json = { "Content-Type": "application/json" };
  assert.equal(await ask("/rpc", json, list), 401);
  const upgrade = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
  };
  assert.equal(await ask("/ws", upgrade), 401);
  // With the key it would be.
  const key = await own.evaluate(() => localStorage.getItem("toolgate.page") ?? "");
  assert.equal(await ask("/rpc", { ...json, "Toolgate-Page-Key": key }, list), 200);
  assert.equal(await ask("/ws", { ...upgrade, "Sec-WebSocket-Protocol": `toolgate, toolgate.page.${key}` }), 101);
});

test("the token leaves the address bar, and no other site is told where one came from", async () => {
  const page = await context.newPage();
  await page.goto(toolgate.address);
  await page.getByRole("button", { name: "Add server" }).waitFor();
  assert.equal(page.url(), `${victim.origin}/`);
  assert.equal(await page.evaluate(() => history.length), 2);
  const before = site.received.length;
  await page.evaluate((address) => {
    const link = document.createElement("a");
    link.href = address;
    document.body.append(link);
    link.click();
  }, `http://127.0.0.1:${site.port}/`);
  await page.waitForURL(`http://127.0.0.1:${site.port}/`);
  assert.equal(await page.evaluate(() => document.referrer), "");
  const sent = site.received.slice(before);
  assert.ok(sent.length > 0);
  for (const headers of sent) {
    // Its own page names itself, where it asks for its icon.
    assert.doesNotMatch(headers.referer ?? "", new RegExp(new URL(victim.origin).host));
    assert.doesNotMatch(JSON.stringify(headers), new RegExp(token));
  }
  await page.goBack();
  await page.getByRole("button", { name: "Add server" }).waitFor();
  assert.equal(page.url(), `${victim.origin}/`);
  await page.close();
});

test("no answer is read as something else than it is, and nothing of a person's is kept", async () => {
  const seen: { url: string; type: string; kept: string; sniffed: string }[] = [];
  const page = await context.newPage();
  page.on("response", (answer) => {
    const headers = answer.headers();
    seen.push({
      url: answer.url(),
      type: headers["content-type"] ?? "",
      kept: headers["cache-control"] ?? "",
      sniffed: headers["x-content-type-options"] ?? "",
    });
  });
  await page.goto(toolgate.address);
  await page.getByRole("button", { name: "Add server" }).waitFor();
  assert.ok(seen.length > 4);
  for (const { url, type, kept, sniffed } of seen) {
    if (!url.startsWith("http")) continue;
    assert.equal(sniffed, "nosniff", url);
    assert.notEqual(type, "", url);
    assert.ok(url.includes("/assets/") || kept === "no-store", `${url}: ${kept}`);
  }
  // A text that looks like a page stays a text.
  await page.goto(`${victim.origin}/no-such-<h1>page</h1>`);
  assert.equal(await page.evaluate(() => document.contentType), "text/plain");
  await page.close();
});

test("a browser keeps the token in its history alone: in no cache, cookie or storage", async () => {
  const profile = await mkdtemp(join(tmpdir(), "toolgate-profile-"));
  try {
    const persistent = await launchWithProfile(profile);
    const page = persistent.pages()[0] ?? (await persistent.newPage());
    await page.goto(toolgate.address);
    await page.getByRole("button", { name: "Add server" }).waitFor();
    await persistent.close();
    const found: string[] = [];
    let read = 0;
    for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !/Cache|Cookies|Network|Storage|IndexedDB|Service Worker/.test(path)) continue;
      read += 1;
      if ((await readFile(path)).includes(token)) found.push(path.slice(profile.length));
    }
    assert.ok(read > 10, `${read} files`);
    assert.deepEqual(found, []);
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
});
