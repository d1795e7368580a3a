// A page at a tool's test call, with the servers it needs: for the tests of the test call.

import assert from "node:assert/strict";

import type { Browser, Locator, Page } from "playwright-core";

import { launch } from "./chromium.ts";
import { startEverything, type Everything } from "./everything.ts";
import { startFormServer, type FormServer } from "./form-server.ts";
import { freePort } from "./process.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./toolgate.ts";

export interface View {
  width?: number;
  colorScheme?: "light" | "dark";
  locale?: string;
}

/** Servers in every state, and the page over them. */
export interface Trial {
  readonly browser: Browser;
  readonly hotel: FormServer;
  readonly data: DataFolder;
  readonly toolgate: Toolgate;
  /** The registration id of `hotel`, `resting` (the same server), `everything`, or `down` (which has gone). */
  id(server: string): string;
  /** The address of a tool's test call. */
  address(server: string, tool: string): string;
  /** Runs something on a page at the test call of a tool; fails where the page throws or opens a dialog. */
  trying(server: string, tool: string, use: (page: Page) => Promise<void>, view?: View): Promise<void>;
  stop(): Promise<void>;
}

export async function startTrial(): Promise<Trial> {
  const [browser, everything, hotel, data] = await Promise.all([
    launch(),
    startEverything(),
    startFormServer(),
    dataFolder(),
  ]);
  const ids = await register(data, hotel, everything);
  const toolgate = await serve(data.path);
  const id = (server: string): string => ids.get(server) ?? "";
  const address = (server: string, tool: string): string =>
    new URL(`/#/call/${id(server)}/${tool}`, toolgate.address).href;
  return {
    browser,
    hotel,
    data,
    toolgate,
    id,
    address,
    trying: async (server, tool, use, { width = 1440, ...look } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        locale: "en-US",
        permissions: ["clipboard-read", "clipboard-write"],
        ...look,
      });
      try {
        const page = await context.newPage();
        const errors: string[] = [];
        page.on("pageerror", (error) => errors.push(error.message));
        page.on("dialog", () => errors.push("a dialog was opened"));
        await page.goto(toolgate.address);
        await page.goto(address(server, tool));
        await page.locator(".arg-fields.root").waitFor();
        await page.locator(".cm-content, .call-views").first().waitFor();
        await use(page);
        assert.deepEqual(errors, []);
      } finally {
        await context.close();
      }
    },
    stop: async () => {
      await browser.close();
      await toolgate.stop();
      await Promise.all([hotel.stop(), everything.stop()]);
      await data.remove();
    },
  };
}

async function register(
  data: DataFolder,
  hotel: FormServer,
  everything: Everything,
): Promise<ReadonlyMap<string, string>> {
  const down = await startFormServer(await freePort());
  const ids = new Map<string, string>();
  const servers = { hotel: hotel.url, resting: hotel.url, everything: everything.url, down: down.url };
  for (const [displayName, url] of Object.entries(servers)) {
    const { result } = await rpc(data.path, "servers.create", { displayName, config: { type: "http", url } });
    const { id } = result as { id: string };
    ids.set(displayName, id);
    await rpc(data.path, "servers.setState", { id, state: "active" });
    await rpc(data.path, "servers.discover", { id });
  }
  await down.stop();
  return ids;
}

export const place = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`);
export const json = (page: Page): Locator => page.locator(".cm-content");
export const run = (page: Page) => page.getByRole("button", { name: "Run once" }).click();
export const outcome = (page: Page, title: string): Locator => page.getByRole("heading", { name: title });

/** The JSON beside the form, as one line without white space between its tokens. */
export async function jsonText(page: Page): Promise<string> {
  const lines = await page.locator(".cm-content .cm-line").allTextContents();
  return lines.map((line) => line.trim()).join("");
}

export async function jsonBecomes(page: Page, expected: string): Promise<void> {
  const squeezed = (text: string) => text.replaceAll(/(?<=[,:{[])\s+/g, "").replaceAll(/\s+(?=[}\]])/g, "");
  await page
    .waitForFunction(
      (text) => {
        const lines = [...document.querySelectorAll(".cm-content .cm-line")].map(
          (line) => line.textContent?.trim() ?? "",
        );
        const whole = lines
          .join("")
          .replaceAll(/(?<=[,:{[])\s+/g, "")
          .replaceAll(/\s+(?=[}\]])/g, "");
        return whole === text;
      },
      squeezed(expected),
      { timeout: 10_000 },
    )
    .catch(async () => assert.equal(squeezed(await jsonText(page)), squeezed(expected)));
}
