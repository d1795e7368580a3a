// Pictures of the test call: its form, its JSON, and every kind of outcome.

import type { Page } from "playwright-core";

import { startFormServer } from "./form-server.ts";
import { freePort } from "./process.ts";
import { remember } from "./shown.ts";
import { rpc } from "./toolgate.ts";

type Act = (page: Page) => Promise<unknown>;

const FILLED = `{
  "guest": {
    "name": "Ada Lovelace",
    "companions": [{ "name": "Charles" }]
  },
  "nights": "3 or 4",
  "room": "suite",
  "customer": 9007199254740993,
  "wishes": ["quiet", "sea view"],
  "payment": { "kind": "invoice", "address": "12 St James’s Square" },
  "source": "phone"
}`;

const form = (page: Page) => page.locator(".arg-fields.root").waitFor();
const isNarrow = (page: Page) => page.locator(".call-views [data-tab]").first().isVisible();
const toJson = async (page: Page) => {
  if (await isNarrow(page)) await page.locator("[data-tab=json]").click();
  await page.locator(".cm-content").waitFor();
};
const fill = async (page: Page) => {
  await form(page);
  await toJson(page);
  await page.locator(".cm-content").fill(FILLED);
  if (await isNarrow(page)) await page.locator("[data-tab=form]").click();
  await page.locator(".arg-warnings").first().waitFor();
};
const run = async (page: Page) => {
  await form(page);
  await page.locator("[data-run]").click();
  await page.locator(".outcome").waitFor();
};
const scrolled = (page: Page) => page.locator('[data-path="/payment"]').scrollIntoViewIfNeeded();

/** Each picture: its name, the tool of the form server, and what a person does there. */
const CALL_SHOTS: readonly (readonly [name: string, tool: string, act: Act])[] = [
  ["call", "book_room", form],
  ["call-filled", "book_room", fill],
  ["call-filled-further", "book_room", async (page) => fill(page).then(() => scrolled(page))],
  [
    "call-json",
    "book_room",
    async (page) => {
      await fill(page);
      await toJson(page);
    },
  ],
  [
    "call-json-broken",
    "book_room",
    async (page) => {
      await form(page);
      await toJson(page);
      await page.locator(".cm-content").fill('{\n  "nights": 3,\n}');
      await page.locator(".field-error").waitFor();
    },
  ],
  ["call-no-arguments", "answer", form],
  ["call-answered", "book_room", async (page) => fill(page).then(() => run(page))],
  [
    "call-answered-json",
    "book_room",
    async (page) => {
      await fill(page);
      await run(page);
      await page.locator("#call-result-json").click();
      await page.locator('[data-path="/nights"] input').fill("3");
      await page.locator(".recent summary").click();
    },
  ],
  [
    "call-answered-model",
    "book_room",
    async (page) => {
      await fill(page);
      await run(page);
      await page.locator("#call-result-model").click();
    },
  ],
  ["call-notes", "picture", run],
  ["call-failed", "fail", run],
  ["call-refused", "refuse", run],
  ["call-unknown", "cut", run],
  ["call-later", "later", run],
  ["call-asks", "ask", run],
  ["call-hostile", "hostile", run],
  ["call-large", "large", run],
  [
    "call-stopped",
    "wait",
    async (page) => {
      await form(page);
      await page.locator("[data-run]").click();
      await page.locator(".elapsed").waitFor();
      await page.locator(".call-bar .button").first().click();
      await page.locator(".outcome").waitFor();
    },
  ],
  ["call-no-tool", "no_such_tool", (page) => page.locator(".server-body .empty").waitFor()],
  [
    "call-running",
    "wait",
    async (page) => {
      await form(page);
      await page.locator("[data-run]").click();
      await page.locator(".elapsed").waitFor();
    },
  ],
];

type Shot = readonly [name: string, path: string, act: Act];

export interface Hotels {
  readonly shots: readonly Shot[];
  stop(): Promise<void>;
}

/** Registers a server that answers, and one that has gone since its tools were read. */
export async function startHotels(data: string): Promise<Hotels> {
  const hotel = await startFormServer();
  const gone = await startFormServer(await freePort());
  const there = await register(data, "Hotel", hotel.url);
  const left = await register(data, "Old hotel", gone.url);
  remember("Old hotel", left);
  await gone.stop();
  return {
    shots: [
      ...CALL_SHOTS.map(([name, tool, act]): Shot => [name, `/#/call/${there}/${tool}`, act]),
      ["call-not-sent", `/#/call/${left}/answer`, run],
    ],
    stop: hotel.stop,
  };
}

async function register(data: string, displayName: string, url: string): Promise<string> {
  const { result } = await rpc(data, "servers.create", { displayName, config: { type: "http", url } });
  const { id } = result as { id: string };
  await rpc(data, "servers.setState", { id, state: "active" });
  await rpc(data, "servers.discover", { id });
  return id;
}
