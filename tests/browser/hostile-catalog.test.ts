// What a hostile server says, everywhere the page shows it: it stays text, what has no face gets one, and the page keeps its
// form at both ends of its widths.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { HIDDEN, MARKS, MARKUP, startHostileCatalog, type HostileCatalog } from "./support/hostile-catalog.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let catalog: HostileCatalog;
let data: DataFolder;
let toolgate: Toolgate;
let id: string;

const NAME = `${MARKUP[1]} \u202eemos \u200b${"W".repeat(70)}`;

before(async () => {
  [browser, catalog, data] = await Promise.all([launch(), startHostileCatalog(), dataFolder()]);
  const add = async (displayName: string, url: string): Promise<string> => {
    const { result, error } = await rpc(data.path, "servers.create", { displayName, config: { type: "http", url } });
    assert.ok(result, JSON.stringify(error));
    const { id } = result as { id: string };
    await rpc(data.path, "servers.setState", { id, state: "active" });
    return id;
  };
  id = await add(NAME, catalog.url);
  await add("refusing", catalog.refusing);
  const { error } = await rpc(data.path, "servers.discover", { id });
  assert.equal(error, undefined);
  const folder = join(data.path, "_tauritavern/mcp/registrations");
  await mkdir(folder, { recursive: true });
  // As far as names of files let it through.
  await writeFile(join(folder, `${MARKUP[0]?.replaceAll("/", "")}\u202e\u200b\u001b[31m.json`), "{");
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await catalog?.stop();
  await data?.remove();
});

/** A page that must throw nothing, ask nobody else and be stopped by no policy. */
async function watched(width: number, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, locale: "en-US" });
  try {
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("dialog", (dialog) => wrong.push(`a dialog: ${dialog.message()}`));
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) wrong.push(message.text());
    });
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== "data:" && origin !== new URL(toolgate.address).origin) wrong.push(request.url());
    });
    await page.goto(toolgate.address);
    await use(page);
    assert.deepEqual(wrong, []);
  } finally {
    await context.close();
  }
}

/** Nothing of a server's words became an element, ran, or is hidden; nothing is wider than the window. */
async function stillText(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(() => {
    const made = document.querySelectorAll(
      'body img, body iframe, body script, body style, base, meta[http-equiv], [onerror], [onload], a[href^="javascript"], a[href*="evil"]',
    );
    // What is an image to a reader has a name of ours.
    const shown = document.body.innerText + document.title;
    return {
      made: [...made].map((element) => element.outerHTML.slice(0, 100)),
      ran: "hit" in window,
      hidden: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/.exec(
        shown,
      )?.[0],
      wider: document.documentElement.scrollWidth - innerWidth,
    };
  });
  assert.deepEqual(
    { ...found, hidden: found.hidden?.codePointAt(0) },
    {
      made: [],
      ran: false,
      hidden: undefined,
      wider: 0,
    },
    what,
  );
}

/** Waits until a character without a face is shown by its mark. */
const marked = (page: Page, mark: string): Promise<void> =>
  page.locator(".hidden-mark:visible", { hasText: mark }).first().waitFor();

/** Everything that is to be pressed can be: it lies in the window, and nothing else lies over it. */
async function reachable(page: Page, selector: string, what: string): Promise<void> {
  const controls = page.locator(selector);
  await controls.first().waitFor();
  const wrong = await controls.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
      if (width === 0 || bottom < 0 || top > innerHeight) return [];
      const y = Math.min(Math.max((top + bottom) / 2, 1), innerHeight - 1);
      const at = document.elementFromPoint((left + right) / 2, y);
      const covered =
        at === null || !(element.contains(at) || at.contains(element) || at.closest("header, nav") !== null);
      return left < 0 || right > innerWidth + 0.5 || height > 200 || covered
        ? [`${element.outerHTML.slice(0, 80)} ${left} ${right} ${top} ${bottom}`]
        : [];
    }),
  );
  assert.deepEqual(wrong, [], what);
}

for (const width of [375, 1440]) {
  test(`the list of servers, ${width} px`, () =>
    watched(width, async (page) => {
      await page.getByRole("link", { name: "<script>window.hit=1</script>" }).first().waitFor();
      await marked(page, "U+202E");
      await stillText(page, "the list");
      await reachable(page, '[role="switch"]', "the list");
    }));

  test(`a server and every one of its tools, ${width} px`, () =>
    watched(width, async (page) => {
      await page.goto(new URL(`/#/servers/${id}`, toolgate.address).href);
      await page.locator(".tool").first().waitFor();
      await stillText(page, "the server");
      await reachable(page, ".permission", "the tools");
      // However much the server says of itself, its tools are there without scrolling.
      const first = await page.locator(".tool").first().boundingBox();
      assert.ok(first !== null && first.y < 800, `the first tool is at ${first?.y}`);
      for (const mark of MARKS.slice(0, 3)) await marked(page, mark);
      // What was left out is told, in the server's own words no longer than they help.
      for (const summary of await page.locator("details.notes > summary").all()) await summary.click();
      await stillText(page, "the notes");
      const search = page.getByRole("searchbox").last();
      for (const words of ["<img", "javascript", "onload", "long", "tall", "stacked", "deep", "wide", "U"]) {
        await search.fill(words === "U" ? "\u202e" : words);
        const tool = page.locator(".tool-open").first();
        await tool.waitFor().catch(() => assert.fail(`no tool is found by ${words}`));
        await tool.click();
        await page.locator(".tool-details").waitFor();
        for (const closed of await page.locator(".tool-details details:not([open]) > summary").all()) {
          await closed.click();
        }
        await stillText(page, `a tool: ${words}`);
        await reachable(page, ".permission", `a tool: ${words}`);
        await tool.click();
        await page.locator(".tool-details").waitFor({ state: "detached" });
      }
    }));

  test(`what a model would see, and the form of a hostile tool, ${width} px`, () =>
    watched(width, async (page) => {
      for (const tool of ["wide", "deep", MARKUP[0] ?? ""]) {
        await page.goto(new URL(`/#/call/${id}/${encodeURIComponent(tool)}`, toolgate.address).href);
        await page.locator(".arg-fields.root").waitFor();
        await stillText(page, `trying ${tool}`);
      }
    }));

  test(`a refusal in hostile words, ${width} px`, () =>
    watched(width, async (page) => {
      await page.getByRole("link", { name: "refusing" }).click();
      await page.getByRole("button", { name: /Read tools|Try again/ }).click();
      await page
        .getByText(/refused the request/i)
        .filter({ visible: true })
        .first()
        .waitFor();
      await stillText(page, "a refusal");
    }));
}

test("the marks are those of the characters that were sent", () => {
  const points = [...HIDDEN].map(
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  for (const mark of MARKS) assert.ok(points.includes(mark), mark);
});
