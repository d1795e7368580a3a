// What a long list of tools costs the page: only the rows in sight are in the document, so 512 tools weigh no more there than
// a screen full of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { startCallServer } from "./support/call-server.ts";
import { launch } from "./support/chromium.ts";
import { withPage } from "./support/page.ts";
import { dataFolder, rpc, serve, type Toolgate } from "./support/toolgate.ts";

/** Elements of the page with one server and nothing chosen, at 1440 × 900. */
const MOST_AT_FIRST = 130;
/** Elements of the page with 512 tools. */
const MOST_WITH_TOOLS = 600;

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);

test("512 tools are in the document as far as they are in sight", async () => {
  const names = Array.from({ length: 512 }, (_, index) => `tool_${index}`);
  const [browser, server, data] = await Promise.all([launch(), startCallServer(names), dataFolder()]);
  const call = async (method: string, params: unknown): Promise<unknown> => {
    const answer = await rpc(data.path, method, params);
    assert.equal(answer.code, 0, JSON.stringify(answer.error));
    return answer.result;
  };
  let toolgate: Toolgate | undefined;
  try {
    const config = { type: "http", url: server.url, protocolVersion: "2025-11-25" };
    const { id } = (await call("servers.create", { displayName: "long list", config })) as { id: string };
    await call("servers.setState", { id, state: "active" });
    await call("servers.discover", { id });
    toolgate = await serve(data.path);
    await withPage(browser, toolgate.address, "/", async (page) => {
      const entry = page.getByText("long list").first();
      await entry.waitFor();
      const first = await elements(page);
      assert.ok(first <= MOST_AT_FIRST, `${first} elements before anything is chosen, at most ${MOST_AT_FIRST}`);

      await entry.click();
      await page.getByRole("radiogroup", { name: "tool_0", exact: true }).waitFor();
      const shown = await elements(page);
      assert.ok(shown <= MOST_WITH_TOOLS, `${shown} elements with 512 tools, at most ${MOST_WITH_TOOLS}`);

      // The last of them is there when it is looked for.
      await page.getByRole("searchbox", { name: "Search tools" }).fill("tool_511");
      await page.getByRole("radiogroup", { name: "tool_511", exact: true }).waitFor();
    });
  } finally {
    await toolgate?.stop();
    await server.stop();
    await browser.close();
    await data.remove();
  }
});
