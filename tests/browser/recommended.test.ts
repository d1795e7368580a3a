// The recommended server (manager contract §4): the page adds it once to a data folder, paused, and never again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { launch } from "./support/chromium.ts";
import { newDataFolder, rpc, serve } from "./support/toolgate.ts";

interface Listed {
  readonly servers: readonly { id: string; displayName: string; state: string }[];
}

test("Exa Search is there at the first load, paused, and stays away once it was removed", async () => {
  const data = await newDataFolder();
  const browser = await launch();
  const toolgate = await serve(data.path);
  const list = async () => ((await rpc(data.path, "servers.list", {})).result as Listed).servers;
  try {
    assert.deepEqual(await list(), []);
    const page = await browser.newPage({ locale: "en-US" });
    await page.goto(toolgate.address);
    await page.getByText("Exa Search").first().waitFor();
    await page.getByText("Exa Search was added as a suggestion. It is paused; nothing connects to it.").waitFor();
    const [exa, ...others] = await list();
    assert.deepEqual([exa?.displayName, exa?.state, others], ["Exa Search", "paused", []]);

    await page.evaluate((id) => window.__TAURITAVERN__.api.mcp.servers.remove(id), exa?.id ?? "");
    await page.getByText("No servers yet").waitFor();
    const offered = page.waitForEvent("websocket").then((socket) => {
      let offer: number | undefined;
      socket.on("framesent", ({ payload }) => {
        const { id, method } = JSON.parse(String(payload)) as { id?: number; method?: string };
        if (method === "servers.offerRecommended") offer = id;
      });
      return socket.waitForEvent("framereceived", ({ payload }) => {
        const { id, result } = JSON.parse(String(payload)) as { id?: number; result?: object };
        // Nothing was added.
        return id !== undefined && id === offer && JSON.stringify(result) === "{}";
      });
    });
    await page.reload();
    await offered;
    await page.getByText("No servers yet").waitFor();
    assert.deepEqual(await list(), []);
  } finally {
    await browser.close();
    await toolgate.stop();
    await data.remove();
  }
});
