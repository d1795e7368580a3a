// What becomes of a test call, from real servers over the wire: each outcome in words, and one call for each press.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";

import { accessible } from "./support/page.ts";
import { json, outcome, place, run, startTrial, type Trial } from "./support/trial.ts";
import { rpc } from "./support/toolgate.ts";

let trial: Trial;

before(async () => {
  trial = await startTrial();
});

after(() => trial?.stop());

test("a tool that fails, a server that refuses, an image that is not shown", async () => {
  await trial.trying("hotel", "fail", async (page) => {
    await run(page);
    await outcome(page, "The tool says it failed").waitFor();
    await page.getByText("The hotel is closed in winter.").waitFor();
    await accessible(page, "a failure");
  });
  await trial.trying("hotel", "refuse", async (page) => {
    await run(page);
    await outcome(page, "The server answered with an error").waitFor();
    await page.getByText("No such room.").waitFor();
    await page.getByText("Code -32602").waitFor();
    await page.getByText("18446744073709551617").waitFor();
  });
  await trial.trying("hotel", "picture", async (page) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    await page.getByText("is an image of type image/png, 70 bytes").waitFor();
    await page.getByText("https://hotel.example/room.pdf").waitFor();
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(new URL(trial.toolgate.address).origin)),
      [],
    );
    assert.equal(await page.locator(".outcome img").count(), 0);
  });
});

test("a server that goes on in the background, or asks for more, is said to; nothing is asked again", async () => {
  for (const [tool, title, text] of [
    ["later", "The server goes on in the background", "Toolgate does not follow tasks"],
    ["ask", "The server asks for more before it goes on", "Toolgate does not answer such questions"],
  ] as const) {
    const before = trial.hotel.calls.length;
    await trial.trying("hotel", tool, async (page) => {
      await run(page);
      await outcome(page, title).waitFor();
      await page.getByText(text).waitFor();
      await page.getByText("As the model reads it").click();
      await page.locator(".outcome details pre").waitFor();
      await accessible(page, tool);
    });
    assert.equal(trial.hotel.calls.length, before + 1);
  }
});

test("a comma too many in the arguments is said to be one", async () => {
  await trial.trying("hotel", "book_room", async (page) => {
    await json(page).fill('{\n  "nights": 3,\n}');
    await page.getByText("The comma before this place is one too many.").waitFor();
    await page.getByRole("button", { name: "Go to line 3, column 1" }).waitFor();
  });
});

test("a server of the field answers, and its failure is its own", async () => {
  await trial.trying("everything", "echo", async (page) => {
    await place(page, "/message").getByRole("textbox").fill("hello\nthere");
    await run(page);
    await page.locator(".result-view").getByText("Echo: hello").waitFor();
  });
  await trial.trying("everything", "get-sum", async (page) => {
    await place(page, "/a").getByRole("textbox").fill("2");
    await place(page, "/b").getByRole("textbox").fill("x");
    await place(page, "/b").getByText("It should be of the type number.").waitFor();
    await run(page);
    await page.locator(".outcome").waitFor();
    await page.getByRole("heading", { name: /says it failed|answered with an error/ }).waitFor();
  });
});

test("not sent: the server is paused, and what to do about it", async () => {
  await trial.trying("resting", "answer", async (page) => {
    await rpc(trial.data.path, "servers.setState", { id: trial.id("resting"), state: "paused" });
    await page.getByText("This server is paused").waitFor();
    const before = trial.hotel.calls.length;
    await run(page);
    await outcome(page, "Not sent").waitFor();
    await page.locator(".outcome").getByText("The server is paused").waitFor();
    assert.equal(trial.hotel.calls.length, before);
    await page.locator(".outcome").getByRole("button", { name: "Activate and connect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Activate and connect" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await run(page);
    await outcome(page, "The tool answered").waitFor();
  });
});

test("not sent: nobody answers where the server was", async () => {
  await trial.trying("down", "answer", async (page) => {
    await run(page);
    await outcome(page, "Not sent").waitFor();
    await page.locator(".outcome").getByText("mcp.call_initialize_failed").waitFor();
    await page.locator(".outcome").getByText("Check that the server is running").waitFor();
  });
});

test("unknown: the server took the call and closed the connection; it is not repeated", async () => {
  await trial.trying("hotel", "cut", async (page) => {
    const before = trial.hotel.calls.length;
    await run(page);
    await outcome(page, "Nobody knows whether it was carried out").waitFor();
    await page.getByText("Check on the server whether it happened before you run it again.").waitFor();
    assert.equal(trial.hotel.calls.length, before + 1);
    await page.locator(".outcome summary").click();
    await page.getByText("its run ends, as the outcome is unknown").waitFor();
    await accessible(page, "an unknown outcome");
  });
});

test("a call goes on while another screen is looked at, and waiting can be stopped", async () => {
  await trial.trying("hotel", "wait", async (page) => {
    const before = trial.hotel.calls.length;
    await run(page);
    await trial.hotel.called(before + 1);
    await page.getByRole("button", { name: "Stop waiting" }).waitFor();
    await page.getByText(/^\d+ s$/).waitFor();
    await page.getByRole("link", { name: "Back to hotel" }).click();
    await page.locator(".tool-list").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Stop waiting" }).waitFor();
    trial.hotel.release();
    await outcome(page, "The tool answered").waitFor();
    // And once more, to stop it.
    await run(page);
    await trial.hotel.called(before + 2);
    await page.getByRole("button", { name: "Stop waiting" }).click();
    await outcome(page, "Nobody knows whether it was carried out").waitFor();
    await page.locator(".outcome").getByText("mcp.call_cancelled").waitFor();
    await page.locator(".outcome").getByText("You stopped waiting").waitFor();
    trial.hotel.release();
    assert.equal(trial.hotel.calls.length, before + 2);
  });
});

test("a call that ends because its program is paused is not said to have been stopped by the person", async () => {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
  const config = {
    type: "stdio",
    command: process.execPath,
    args: [join(dirname(manifest), "dist/index.js"), "stdio"],
  };
  const { result } = await rpc(trial.data.path, "servers.create", { displayName: "program", config });
  const { id } = result as { id: string };
  await rpc(trial.data.path, "servers.setState", { id, state: "active" });
  await rpc(trial.data.path, "servers.discover", { id });
  await trial.trying("hotel", "wait", async (page) => {
    await page.goto(new URL(`/#/call/${id}/trigger-long-running-operation`, trial.toolgate.address).href);
    await place(page, "/duration").waitFor();
    await json(page).fill('{"duration": 60, "steps": 60}');
    await run(page);
    await page.getByText(/^[2-9] s$/).waitFor();
    await rpc(trial.data.path, "servers.setState", { id, state: "paused" });
    await outcome(page, "Nobody knows whether it was carried out").waitFor();
    await page.locator(".outcome").getByText("The server was paused, changed or removed").waitFor();
    assert.doesNotMatch(await page.locator(".outcome").innerText(), /You stopped/);
  });
});

test("a large result does not stop the page, and copying takes all of it", async () => {
  await trial.trying("hotel", "large", async (page) => {
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    await page.getByText("The first 20,000 of 3,300,000 characters.").waitFor();
    await page.locator(".result-view").getByRole("button", { name: "Copy" }).click();
    await page.locator(".result-view").getByText("Copied").waitFor();
    assert.equal(await page.evaluate(async () => (await navigator.clipboard.readText()).length), 3_300_000);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("The first 80,000 of 3,300,000 characters.").waitFor();
  });
});

test("what a hostile server says is text", async () => {
  await trial.trying("hotel", "hostile", async (page) => {
    await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
    await page.locator(".arg .hidden-mark").getByText("U+202E").waitFor();
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    await page.locator(".result-view .hidden-mark").getByText("U+200B").waitFor();
    assert.equal(await page.locator(".call img, .call script, .call a[href^='javascript']").count(), 0);
    await accessible(page, "a hostile tool");
  });
});
