// What tests of the page share: a page of a running Toolgate that must throw nothing, and what axe finds in it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import type { Browser, BrowserContextOptions, Page } from "playwright-core";

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

/** Fails on anything axe finds, and where the page is wider than its window. */
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
}

/** An attribute of what has the focus. */
export const focused = (page: Page, attribute: string): Promise<string | null | undefined> =>
  page.evaluate((name) => document.activeElement?.getAttribute(name), attribute);
