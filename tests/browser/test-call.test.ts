// The test call as a person makes it: form and JSON in step, one call for a press, the outcome in words. Every outcome
// comes from a real server over the wire.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import type { Browser, Locator, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startEverything, type Everything } from "./support/everything.ts";
import { startFormServer, type FormServer } from "./support/form-server.ts";
import { freePort } from "./support/process.ts";
import { dataFolder, serve, rpc, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let everything: Everything;
let hotel: FormServer;
let data: DataFolder;
let toolgate: Toolgate;
let axeSource: string;
const ids = new Map<string, string>();

const BIG = "9007199254740993";

before(async () => {
  axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  [browser, everything, hotel, data] = await Promise.all([
    launch(),
    startEverything(),
    startFormServer(),
    dataFolder(),
  ]);
  const downPort = await freePort();
  const down = await startFormServer(downPort);
  const servers = { hotel: hotel.url, resting: hotel.url, everything: everything.url, down: down.url };
  for (const [displayName, url] of Object.entries(servers)) {
    const { result } = await rpc(data.path, "servers.create", { displayName, config: { type: "http", url } });
    const { id } = result as { id: string };
    ids.set(displayName, id);
    await rpc(data.path, "servers.setState", { id, state: "active" });
    await rpc(data.path, "servers.discover", { id });
  }
  await down.stop();
  toolgate = await serve(data.path);
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await Promise.all([hotel?.stop(), everything?.stop()]);
  await data?.remove();
});

interface View {
  width?: number;
  colorScheme?: "light" | "dark";
  locale?: string;
}

/** A page at the test call of a tool. */
async function trying(
  server: string,
  tool: string,
  use: (page: Page) => Promise<void>,
  view: View = {},
): Promise<void> {
  const { width = 1440, ...rest } = view;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: "en-US",
    permissions: ["clipboard-read", "clipboard-write"],
    ...rest,
  });
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("dialog", () => errors.push("a dialog was opened"));
    await page.goto(toolgate.address);
    await page.goto(new URL(callPath(server, tool), toolgate.address).href);
    await page.locator(".call-form .arg-fields").waitFor();
    await page.locator(".cm-content, .call-views").first().waitFor();
    await use(page);
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
  }
}

const callPath = (server: string, tool: string) => `/#/call/${ids.get(server)}/${tool}`;
const place = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`);
const json = (page: Page): Locator => page.locator(".cm-content");
const run = (page: Page) => page.getByRole("button", { name: "Run once" }).click();
const outcome = (page: Page, title: string): Locator => page.getByRole("heading", { name: title });

/** The JSON beside the form, as one line without white space between its tokens. */
async function jsonText(page: Page): Promise<string> {
  const lines = await page.locator(".cm-content .cm-line").allTextContents();
  return lines.map((line) => line.trim()).join("");
}

async function jsonBecomes(page: Page, expected: string): Promise<void> {
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

/** Fails on anything axe finds, and where the page is wider than its window. */
async function accessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axeSource);
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

test("from a tool's details to its test call, and back to where it was", async () => {
  await trying("hotel", "answer", async (page) => {
    await page.goto(new URL(`/#/servers/${ids.get("hotel")}/book_room`, toolgate.address).href);
    await page.getByRole("link", { name: "Try this tool…" }).click();
    await page.getByRole("heading", { name: "Try book_room" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
    await page.reload();
    await page.getByRole("heading", { name: "Try book_room" }).waitFor();
    await page.getByRole("link", { name: "Back to hotel" }).click();
    await page.locator(".tool.open").getByText("book_room").first().waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("data-part") === "open");
  });
});

test("a nested form fills the JSON, and the server gets each number as it was typed", async () => {
  await trying("hotel", "book_room", async (page) => {
    await jsonBecomes(page, "{}");
    await place(page, "/guest/name").getByRole("textbox").fill("Ada");
    await place(page, "/nights").getByRole("textbox").fill("3");
    await place(page, "/room").getByRole("combobox").selectOption({ label: "suite" });
    await place(page, "/customer").getByRole("textbox").fill(BIG);
    await place(page, "/breakfast").getByRole("combobox").selectOption({ label: "true" });
    await page.getByRole("button", { name: "Add an item to wishes" }).click();
    await page.keyboard.type("quiet");
    await page.getByRole("button", { name: "Add an item to wishes" }).click();
    await page.keyboard.type("sea view");
    await page.getByRole("button", { name: "Remove item 1 of wishes" }).click();
    await place(page, "/payment")
      .getByRole("combobox", { name: "Kind of payment" })
      .selectOption({ label: "By invoice" });
    await place(page, "/payment/address").getByRole("textbox").fill("1 Way");
    await place(page, "/labels").getByRole("button", { name: "Add labels" }).click();
    await place(page, "/labels").getByRole("textbox", { name: "Name of the new property" }).fill("a/b");
    await page.keyboard.press("Enter");
    await place(page, "/labels/a~1b").getByRole("textbox").fill("x");
    const expected = `{"guest":{"name":"Ada"},"nights":3,"room":"suite","customer":${BIG},"breakfast":true,"wishes":["sea view"],"payment":{"kind":"invoice","address":"1 Way"},"labels":{"a/b":"x"}}`;
    await jsonBecomes(page, expected);
    const before = hotel.calls.length;
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    assert.equal(hotel.calls.length, before + 1);
    assert.equal(hotel.calls.at(-1)?.arguments, expected);
    // The outcome has the focus, and the answer has the number.
    assert.equal(await page.evaluate(() => document.activeElement?.id), "call-outcome");
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.locator(".result-view").getByText(BIG).waitFor();
    await page.getByRole("tab", { name: "As the model reads it" }).click();
    await page.locator(".result-view").getByText("## Details").waitFor();
    await page.locator(".result-view").getByRole("button", { name: "Copy" }).click();
    await page.locator(".result-view").getByText("Copied").waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(BIG));
  });
});

test("what is typed in the JSON is in the form, and nothing is lost on the way back", async () => {
  await trying("hotel", "book_room", async (page) => {
    await json(page).fill(
      `{"zz": [1E5, {"é": null}], "customer": ${BIG}, "nights": "3x", "guest": {"name": "Bob", "email": null}}`,
    );
    await place(page, "/customer").getByRole("textbox").waitFor();
    assert.equal(await place(page, "/customer").getByRole("textbox").inputValue(), BIG);
    assert.equal(await place(page, "/guest/name").getByRole("textbox").inputValue(), "Bob");
    assert.equal(await place(page, "/zz/0").getByRole("textbox").inputValue(), "1E5");
    await place(page, "/nights").getByText("It should be of the type integer.").waitFor();
    await page.getByText("1 thing does not fit the tool’s schema").waitFor();
    await place(page, "/nights").getByRole("textbox").fill("4");
    await page.getByText("does not fit the tool’s schema").waitFor({ state: "detached" });
    await jsonBecomes(
      page,
      `{"zz": [1E5, {"é": null}], "customer": ${BIG}, "nights": 4, "guest": {"name": "Bob", "email": null}}`,
    );
    // Half a JSON text: the form waits, the text stays.
    await json(page).fill('{"nights": 4,');
    await page.getByText("The form is back as soon as the JSON is a JSON object again.").waitFor();
    await page.getByRole("button", { name: /^Go to line 1, column/ }).click();
    assert.equal(await jsonText(page), '{"nights": 4,');
    await json(page).fill('{"nights": 4}');
    await place(page, "/nights").getByRole("textbox").waitFor();
  });
});

test("a default is shown, and sent once a person says so", async () => {
  await trying("hotel", "book_room", async (page) => {
    await place(page, "/room").getByText("Default:").waitFor();
    await jsonBecomes(page, "{}");
    await page.getByRole("button", { name: "Use the default of room" }).click();
    await jsonBecomes(page, '{"room":"double"}');
    await place(page, "/room").getByRole("combobox").selectOption({ label: "Not sent" });
    await jsonBecomes(page, "{}");
  });
});

test("warnings do not block: the server decides", async () => {
  await trying("hotel", "book_room", async (page) => {
    await json(page).fill('{"nights": 99, "unknown": 1}');
    await page.getByText("2 things do not fit the tool’s schema").waitFor();
    await place(page, "/nights").getByText("It should be at most 30.").waitFor();
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    assert.equal(hotel.calls.at(-1)?.arguments, '{"nights":99,"unknown":1}');
  });
});

test("a tool that fails, a server that refuses, an image that is not shown", async () => {
  await trying("hotel", "fail", async (page) => {
    await run(page);
    await outcome(page, "The tool says it failed").waitFor();
    await page.getByText("The hotel is closed in winter.").waitFor();
    await accessible(page, "a failure");
  });
  await trying("hotel", "refuse", async (page) => {
    await run(page);
    await outcome(page, "The server answered with an error").waitFor();
    await page.getByText("No such room.").waitFor();
    await page.getByText("Code -32602").waitFor();
    await page.getByText("18446744073709551617").waitFor();
  });
  await trying("hotel", "picture", async (page) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    await page.getByText("is an image of type `image/png`, 70 bytes").waitFor();
    await page.getByText("https://hotel.example/room.pdf").waitFor();
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(new URL(toolgate.address).origin)),
      [],
    );
    assert.equal(await page.locator(".outcome img").count(), 0);
  });
});

test("a server of the field answers, and its failure is its own", async () => {
  await trying("everything", "echo", async (page) => {
    await place(page, "/message").getByRole("textbox").fill("hello\nthere");
    await run(page);
    await page.locator(".result-view").getByText("Echo: hello").waitFor();
  });
  await trying("everything", "get-sum", async (page) => {
    await place(page, "/a").getByRole("textbox").fill("2");
    await place(page, "/b").getByRole("textbox").fill("x");
    await place(page, "/b").getByText("It should be of the type number.").waitFor();
    await run(page);
    await page.locator(".outcome").waitFor();
    assert.ok(await page.getByRole("heading", { name: /says it failed|answered with an error/ }).isVisible());
  });
});

test("not sent: the server is paused, and what to do about it", async () => {
  await trying("resting", "answer", async (page) => {
    await rpc(data.path, "servers.setState", { id: ids.get("resting"), state: "paused" });
    await page.getByText("This server is paused").waitFor();
    const before = hotel.calls.length;
    await run(page);
    await outcome(page, "Not sent").waitFor();
    await page.locator(".outcome").getByText("its server is paused").waitFor();
    assert.equal(hotel.calls.length, before);
    await page.locator(".outcome").getByRole("button", { name: "Activate and connect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Activate and connect" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await run(page);
    await outcome(page, "The tool answered").waitFor();
  });
});

test("not sent: nobody answers where the server was", async () => {
  await trying("down", "answer", async (page) => {
    await run(page);
    await outcome(page, "Not sent").waitFor();
    await page.locator(".outcome").getByText("mcp.call_initialize_failed").waitFor();
    await page.locator(".outcome").getByText("Nothing reached the tool.").waitFor();
  });
});

test("unknown: the server took the call and closed the connection; it is not repeated", async () => {
  await trying("hotel", "cut", async (page) => {
    const before = hotel.calls.length;
    await run(page);
    await outcome(page, "Nobody knows whether it was carried out").waitFor();
    await page.getByText("The call may or may not have happened.").waitFor();
    assert.equal(hotel.calls.length, before + 1);
    await page.locator(".outcome summary").click();
    await page.getByText("its run ends, as the outcome is unknown").waitFor();
    await accessible(page, "an unknown outcome");
  });
});

test("a call goes on while another screen is looked at, and waiting can be stopped", async () => {
  await trying("hotel", "wait", async (page) => {
    const before = hotel.calls.length;
    await run(page);
    await hotel.called(before + 1);
    await page.getByRole("button", { name: "Stop waiting" }).waitFor();
    await page.getByText(/^\d+ s$/).waitFor();
    await page.getByRole("link", { name: "Back to hotel" }).click();
    await page.locator(".tool-list").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Stop waiting" }).waitFor();
    hotel.release();
    await outcome(page, "The tool answered").waitFor();
    // And once more, to stop it.
    await run(page);
    await hotel.called(before + 2);
    await page.getByRole("button", { name: "Stop waiting" }).click();
    await outcome(page, "Nobody knows whether it was carried out").waitFor();
    await page.locator(".outcome").getByText("mcp.call_cancelled").waitFor();
    hotel.release();
    assert.equal(hotel.calls.length, before + 2);
  });
});

test("by keyboard alone: fill, run, read, fill again", async () => {
  await trying("hotel", "book_room", async (page) => {
    await place(page, "/guest/name").getByRole("textbox").focus();
    await page.keyboard.type("Ada");
    await page.keyboard.press("Control+Enter");
    await outcome(page, "The tool answered").waitFor();
    await page.waitForFunction(() => document.activeElement?.id === "call-outcome");
    assert.equal(hotel.calls.at(-1)?.arguments, '{"guest":{"name":"Ada"}}');
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "tab");
    await page.keyboard.press("ArrowRight");
    await page.locator('[role="tab"][aria-selected="true"]').getByText("JSON").waitFor();
    // From the editor too, where these keys are a line break otherwise.
    await json(page).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type('{"nights": 2');
    const before = hotel.calls.length;
    await page.keyboard.press("Control+Enter");
    await hotel.called(before + 1);
    assert.equal(hotel.calls.at(-1)?.arguments, '{"nights":2}');
  });
});

test("earlier arguments are there again, until the page is closed", async () => {
  await trying("hotel", "answer", async (page) => {
    for (const n of [1, 2]) {
      await json(page).fill(`{"n": ${n}}`);
      await run(page);
      await outcome(page, "The tool answered").waitFor();
    }
    await page.getByText("2 earlier sets of arguments").click();
    await page.getByText("Kept in this page only").waitFor();
    await page.getByRole("button", { name: 'Use these arguments again: {"n": 1}' }).click();
    await jsonBecomes(page, '{"n": 1}');
    await page.reload();
    await page.locator(".call-form .arg-fields").waitFor();
    assert.equal(await page.getByText("earlier set").count(), 0);
  });
});

test("a large result does not stop the page, and copying takes all of it", async () => {
  await trying("hotel", "large", async (page) => {
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
  await trying("hotel", "hostile", async (page) => {
    await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
    await page.locator(".arg .hidden-mark").getByText("U+202E").waitFor();
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    await page.locator(".result-view .hidden-mark").getByText("U+200B").waitFor();
    assert.equal(await page.locator(".call img, .call script, .call a[href^='javascript']").count(), 0);
    await accessible(page, "a hostile tool");
  });
});

test("without the second module the arguments are written as JSON, and it can be tried again", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
  try {
    const page = await context.newPage();
    let blocked = true;
    // The first module is loaded; from then on none is, until it is let through.
    await page.goto(toolgate.address);
    await page.locator(".server-row").first().waitFor();
    await page.route("**/*.wasm", (route) => (blocked ? route.abort() : route.continue()));
    await page.goto(new URL(callPath("hotel", "answer"), toolgate.address).href);
    await page.getByText("The form could not be loaded").waitFor();
    await json(page).fill(`{"n": ${BIG}}`);
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    assert.equal(hotel.calls.at(-1)?.arguments, `{"n":${BIG}}`);
    blocked = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await place(page, "/n").getByRole("textbox").waitFor();
  } finally {
    await context.close();
  }
});

for (const width of [375, 844, 1440]) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const locale of ["en-US", "zh-CN"] as const) {
      test(`accessible: ${width} px, ${colorScheme}, ${locale}`, async () => {
        await trying(
          "hotel",
          "book_room",
          async (page) => {
            await accessible(page, "an empty form");
            const tabs = page.locator(".call-views [data-tab]");
            if ((await tabs.count()) > 0) await page.locator("[data-tab=json]").click();
            await json(page).fill(
              '{"guest": {"name": "", "companions": [{}]}, "nights": "x", "payment": {"kind": "card"}, "zz": [1]}',
            );
            if ((await tabs.count()) > 0) {
              await accessible(page, "the JSON");
              await page.locator("[data-tab=form]").click();
            }
            await place(page, "/zz/0").waitFor();
            await accessible(page, "a full form");
            await page.locator("[data-run]").click();
            await page.locator(".outcome").waitFor();
            await page.locator(".recent summary").click();
            await page.locator("#call-result-model").click();
            await page.locator(".result-view pre").waitFor();
            await accessible(page, "an outcome");
          },
          { width, colorScheme, locale },
        );
      });
    }
  }
}
