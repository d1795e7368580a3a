// The manager API in pages of a test: how it gets there, and calls of it from outside.

import type { Browser, Page } from "playwright-core";

import type { McpServer, McpTestCallOutcome, TauriTavernMcpApi } from "../../../web/src/abi/tauritavern-mcp.d.ts";
import type { OtherSite } from "./other-site.ts";

/** An empty page in which functions of a test run as they are compiled: the compiler marks their names by a helper. */
export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript("globalThis.__name = (value) => value");
  return page;
}

/** Toolgate's own page. */
export async function ownPage(browser: Browser, address: string): Promise<Page> {
  const page = await newPage(browser);
  await page.goto(address);
  return page;
}

/** A page of another site that has installed the API; what `onState` is told is in `window.states`. */
export async function otherPage(browser: Browser, address: string, site: OtherSite): Promise<Page> {
  const page = await newPage(browser);
  await page.goto(site.origin);
  await page.evaluate(async (address) => {
    const { origin, searchParams } = new URL(address);
    const name = "@toolgate/manager";
    const manager = (await import(name)) as typeof import("../../../web/src/abi/package.d.ts");
    const states = ((window as { states?: string[] }).states = [] as string[]);
    manager.installMcpApi({
      transport: manager.overWebSocket({ address: origin, token: searchParams.get("token") ?? "" }),
      onState: (state) => states.push(state),
    });
  }, address);
  return page;
}

/** Waits until the page's API reaches its host; fails where it does not. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => window.__TAURITAVERN__?.ready.then(() => true));
}

/** The server as the page's API lists it. */
export async function listed(page: Page, id: string): Promise<McpServer | undefined> {
  const { servers } = await page.evaluate(() => window.__TAURITAVERN__.api.mcp.servers.list());
  return servers.find((server) => server.id === id);
}

/** A test call. */
export function call(page: Page, registrationId: string, nativeName: string, argumentsJson: string) {
  return page.evaluate((input) => window.__TAURITAVERN__.api.mcp.tools.testCall(input), {
    registrationId,
    nativeName,
    argumentsJson,
  });
}

/** The kind of an outcome, and its code where it has one. */
export function codeOf(outcome: McpTestCallOutcome): [string, string | undefined] {
  return [outcome.outcome, "code" in outcome ? outcome.code : undefined];
}

export type Path = `servers.${keyof TauriTavernMcpApi["servers"]}` | `tools.${keyof TauriTavernMcpApi["tools"]}`;

/** What a rejection says: the class that extensions look for, and the fields. */
export interface Rejection {
  typeError: boolean;
  code: unknown;
  path: unknown;
  message: string;
}

/** Calls a method in the page, its arguments given as JavaScript, and answers what it rejects with. */
export function rejection(page: Page, method: Path, args: string): Promise<Rejection | undefined> {
  return page.evaluate(`window.__TAURITAVERN__.api.mcp.${method}(${args}).then(
    () => undefined,
    (error) => ({
      typeError: error instanceof TypeError,
      code: error.code,
      path: error.path,
      message: error.message,
    }),
  )`);
}
