// The example of a chat, as its README says to run it, against a scripted endpoint and a real MCP server: what the model
// gets to see, what reaches the server, and how a generation ends.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import type { Browser, Page } from "playwright-core";

import { startCallServer, type CallServer } from "./support/call-server.ts";
import { startChatModel, type Asked, type ChatModel } from "./support/chat-model.ts";
import { launch } from "./support/chromium.ts";
import { newPage } from "./support/manager-api.ts";
import { accessible } from "./support/page.ts";
import { start, type Program } from "./support/process.ts";
import { dataFolder, rpc, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../examples/chat");
const UNKNOWN = "Nobody knows whether a call was carried out";

let browser: Browser;
let calls: CallServer;
let data: DataFolder;
let model: ChatModel;
let site: Program;
let toolgate: Toolgate;
let id: string;
let address: string;

before(async () => {
  await promisify(execFile)(process.execPath, [resolve(EXAMPLE, "build.mjs")]);
  [browser, calls, data, model, site] = await Promise.all([
    launch(),
    startCallServer(),
    dataFolder(),
    startChatModel(),
    start(process.execPath, [resolve(EXAMPLE, "serve.mjs"), "0"], /^Chat: (http:\S+)$/),
  ]);
  address = site.ready[1] ?? "";
  toolgate = await serve(data.path, { allowOrigin: address });
  id = await register("Lab");
  await host("servers.setState", { id, state: "active" });
  await host("servers.discover", { id });
  for (const nativeName of ["wait", "measure", "hang_up"]) await permit(nativeName, "allow");
  const override = { description: "Measures how warm it is." };
  await host("tools.setDescriptionOverride", { id, nativeName: "measure", override });
  // It would be offered, but for its state.
  const paused = await register("Cellar");
  await host("tools.setPermission", { id: paused, nativeName: "answer", permission: "ask" });
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await Promise.all([calls?.stop(), model?.stop(), site?.stop()]);
  await data?.remove();
});

async function host(method: string, params: object): Promise<unknown> {
  const { result, error } = await rpc(data.path, method, params);
  assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
  return result;
}

async function register(displayName: string): Promise<string> {
  const config = { type: "http", url: calls.url, protocolVersion: "2025-11-25" };
  return ((await host("servers.create", { displayName, config })) as { id: string }).id;
}

const permit = (nativeName: string, permission: string): Promise<unknown> =>
  host("tools.setPermission", { id, nativeName, permission });

/** A page of the chat that knows the endpoint, and Toolgate unless it is to do without. Fails where it throws. */
async function chatting(use: (page: Page) => Promise<void>, { connected = true } = {}): Promise<void> {
  const page = await newPage(browser);
  try {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(address);
    await page.getByLabel("Base URL").fill(model.baseUrl);
    await page.getByLabel("Model", { exact: true }).fill("scripted");
    await page.getByLabel("Key").fill("secret-key");
    if (connected) {
      await page.getByLabel("Toolgate's address").fill(toolgate.address);
      await page.getByRole("button", { name: "Connect" }).click();
      await page.getByText("Toolgate: open").waitFor();
    }
    await use(page);
    assert.deepEqual(errors, []);
  } finally {
    await page.close();
  }
}

async function say(page: Page, text: string): Promise<Asked> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  return model.asked();
}

/** Waits until the person can write again, and reads the last thing that is said to them. */
async function lastEntry(page: Page): Promise<string> {
  await page.locator("#send:enabled").waitFor();
  return (await page.locator("#conversation li").last().textContent()) ?? "";
}

const names = ({ body }: Asked): string[] => (body.tools ?? []).map(({ function: { name } }) => name);
const roles = ({ body }: Asked): string[] => body.messages.map(({ role }) => role);
const lastMessage = ({ body }: Asked): string => body.messages.at(-1)?.content ?? "";

/** Removes or doubles a tool of the next request, as an extension would by the settings hook. */
function hook(page: Page, name: string, what: "remove" | "double"): Promise<void> {
  return page.evaluate(
    ([name, what]) => {
      interface Settings {
        tools: { function: { name: string } }[];
      }
      const change = (event: Event): void => {
        const settings = (event as CustomEvent<Settings>).detail;
        const found = settings.tools.filter((tool) => tool.function.name === name);
        const others = settings.tools.filter((tool) => tool.function.name !== name);
        settings.tools = what === "remove" ? others : [...settings.tools, ...found];
      };
      addEventListener("chat-settings-ready", change, { once: true });
    },
    [name, what] as const,
  );
}

test("the model sees the chat's own tool first, then the person's; calls go through, and all that is said is text", () =>
  chatting(async (page) => {
    await page.getByLabel("Further fields").fill('{"temperature": 0}');
    const first = await say(page, "How warm is it?");
    assert.equal(first.authorization, "Bearer secret-key");
    assert.deepEqual([first.body.model, first.body.temperature], ["scripted", 0]);
    // `answer` is off.
    assert.deepEqual(names(first), ["current_time", "mcp__Lab__wait", "mcp__Lab__measure", "mcp__Lab__hang_up"]);
    assert.equal(first.body.tools?.[2]?.function.description, "Measures how warm it is.");
    await page.getByText("The server is paused").waitFor();

    const before = calls.calls.length;
    first.call({ name: "current_time" }, { name: "mcp__Lab__measure", arguments: '{"n": 9007199254740993}' });
    const second = await model.asked();
    assert.deepEqual(roles(second), ["user", "assistant", "tool", "tool"]);
    const [, , time, measured] = second.body.messages;
    assert.deepEqual([time?.tool_call_id, measured?.tool_call_id], ["call-0", "call-1"]);
    assert.match(time?.content ?? "", /\d\d:\d\d:\d\d/);
    assert.match(measured?.content ?? "", /^<b>Warm<\/b>\n\n## Details\n\n.*celsius.*21\.5/);
    assert.equal(calls.calls.length, before + 1);
    assert.match(calls.calls.at(-1) ?? "", /"n": ?9007199254740993\b/);

    second.say("<i>It is warm.</i>");
    assert.equal(await lastEntry(page), "<i>It is warm.</i>");
    assert.equal(await page.locator("#conversation b, #conversation i").count(), 0);
    await accessible(page, "the chat");
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  }));

test("a permission that is withdrawn counts at once: the server sees nothing, and the model is told", () =>
  chatting(async (page) => {
    const before = calls.calls.length;
    const first = await say(page, "Measure.");
    await permit("measure", "off");
    first.call({ name: "mcp__Lab__measure" });
    const second = await model.asked();
    assert.match(lastMessage(second), /mcp\.call_permission_off/);
    // What is offered stays as it was when the generation began.
    assert.deepEqual(names(second), names(first));
    assert.equal(calls.calls.length, before);
    second.say("I may not.");
    assert.equal(await lastEntry(page), "I may not.");
    const next = await say(page, "Now?");
    assert.ok(!names(next).includes("mcp__Lab__measure"));
    next.say("No.");
    await permit("measure", "allow");
  }));

test("a tool that the settings hook removes or doubles cannot be called in that round", () =>
  chatting(async (page) => {
    const before = calls.calls.length;
    const name = "mcp__Lab__measure";
    await hook(page, name, "remove");
    const removed = await say(page, "Measure.");
    assert.ok(!names(removed).includes(name));
    await hook(page, name, "double");
    removed.call({ name });
    const doubled = await model.asked();
    assert.match(lastMessage(doubled), /mcp\.legacy_tool_not_advertised/);
    assert.equal(names(doubled).filter((found) => found === name).length, 2);
    doubled.call({ name });
    const third = await model.asked();
    assert.match(lastMessage(third), /mcp\.legacy_tool_not_advertised/);
    assert.equal(calls.calls.length, before);
    // Each round names its tools anew.
    third.call({ name });
    const fourth = await model.asked();
    assert.match(lastMessage(fourth), /celsius/);
    assert.equal(calls.calls.length, before + 1);
    fourth.say("Warm.");
    assert.equal(await lastEntry(page), "Warm.");
  }));

test("tools that the person's own fields leave out are not put back", () =>
  chatting(async (page) => {
    await page.getByLabel("Further fields").fill('{"tools": null}');
    const before = calls.calls.length;
    const first = await say(page, "Measure.");
    assert.equal("tools" in first.body, false);
    first.call({ name: "mcp__Lab__measure" });
    const second = await model.asked();
    assert.match(lastMessage(second), /mcp\.legacy_tool_not_advertised/);
    assert.equal(calls.calls.length, before);
    second.say("I have none.");
    assert.equal(await lastEntry(page), "I have none.");
  }));

test("an unknown outcome ends the generation: nothing of the batch is kept, and nothing is sent again", () =>
  chatting(async (page) => {
    const [before, requests] = [calls.calls.length, model.count];
    const first = await say(page, "Do all of it.");
    first.call(
      { name: "mcp__Lab__measure" },
      { name: "current_time" },
      { name: "mcp__Lab__hang_up" },
      { name: "mcp__Lab__measure" },
    );
    const word = await lastEntry(page);
    assert.ok(word.startsWith(UNKNOWN) && word.includes("mcp.call_response_failed"), word);
    assert.equal(calls.calls.length, before + 2);
    assert.equal(model.count, requests + 1);
    // The person goes on, with nothing in the conversation that nobody knows.
    const next = await say(page, "I have looked: it was done.");
    assert.equal(model.count, requests + 2);
    assert.deepEqual(roles(next), ["user", "user"]);
    next.say("Good.");
    assert.equal(await lastEntry(page), "Good.");
    assert.equal(calls.calls.length, before + 2);
  }));

test("a chat that is stopped cancels the call under way", () =>
  chatting(async (page) => {
    const [before, requests] = [calls.calls.length, model.count];
    const first = await say(page, "Wait.");
    first.call({ name: "mcp__Lab__wait" }, { name: "mcp__Lab__measure" });
    await calls.called(before + 1);
    await page.getByRole("button", { name: "Stop" }).click();
    const word = await lastEntry(page);
    // It was sent, so nobody knows how far it came.
    assert.ok(word.startsWith(UNKNOWN) && word.includes("mcp.call_cancelled"), word);
    assert.deepEqual([calls.calls.length, model.count], [before + 1, requests + 1]);
    await say(page, "Think.");
    await page.getByRole("button", { name: "Stop" }).click();
    assert.equal(await lastEntry(page), "Stopped.");
  }));

test("a model that calls tools without end is asked twenty times", () =>
  chatting(async (page) => {
    const requests = model.count;
    (await say(page, "What time is it?")).call({ name: "current_time" });
    for (let round = 1; round < 20; round++) (await model.asked()).call({ name: "current_time" });
    assert.match(await lastEntry(page), /has no answer yet/);
    assert.equal(model.count, requests + 20);
  }));

test("without Toolgate the chat has its own tool; an endpoint that refuses is told, without the key", () =>
  chatting(
    async (page) => {
      const first = await say(page, "Hello.");
      assert.deepEqual(names(first), ["current_time"]);
      first.refuse(401);
      const word = await lastEntry(page);
      assert.match(word, /HTTP status 401/);
      assert.ok(!word.includes("secret-key"));
    },
    { connected: false },
  ));
