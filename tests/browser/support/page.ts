// What tests of the page share: a page of a running Toolgate that must throw nothing, and what axe finds in it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

/** How long `becomes` waits, and how long between two looks, in milliseconds. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 20;

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Opens a path of the page with the address's token, in English and wide unless the options say otherwise. */
export async function withPage(
  browser: Browser,
  address: string,
  path: string,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US", ...options });
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(address);
    await page.goto(new URL(path, address).href);
    await use(page);
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
  }
}

/** Fails on anything axe finds, and where the page is wider than its window, or Toolgate's longer. */
export async function accessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axeSource);
  // Colours that are still changing are nobody's.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations === 1)
        .map((animation) => animation.finished),
    ),
  );
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => String(node.target)).join(", ")}`);
  });
  assert.deepEqual(found, [], what);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what}: too wide`);
  // Panes and dialogs scroll; nothing makes Toolgate's page itself longer than its window.
  const tooLong = await page.evaluate(
    () => document.querySelector(".app") !== null && document.documentElement.scrollHeight > innerHeight,
  );
  assert.ok(!tooLong, `${what}: too long`);
}

/** An attribute of what has the focus. */
export const focused = (page: Page, attribute: string): Promise<string | null | undefined> =>
  page.evaluate((name) => document.activeElement?.getAttribute(name), attribute);

/** Opens the dialog that edits the server whose page is shown. */
export async function edit(page: Page, name: string): Promise<Locator> {
  await page
    .locator(".server-tools")
    .getByRole("button", { name: `More actions for ${name}` })
    .click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  const dialog = page.getByRole("dialog", { name: `Edit ${name}` });
  await dialog.getByRole("tab", { name: "Form" }).waitFor();
  return dialog;
}

/**
 * Waits until what is read of the page is as expected, and fails with what it was last. For what follows a click or a key
 * but has nothing that Playwright could wait for: a count, the focus, the value of a field.
 */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const late = performance.now() + PATIENCE_MS;
  for (;;) {
    const now = await read();
    if (isDeepStrictEqual(now, expected)) return;
    if (performance.now() > late) return assert.deepEqual(now, expected);
    await pause(LOOK_MS);
  }
}

/** Puts a text in place of the one in an editor, by keys: it may still be placing the cursor where its opening sent it. */
export async function retype(editor: Locator, text: string): Promise<void> {
  await editor.press("Control+A");
  await editor.page().keyboard.insertText(text);
}
