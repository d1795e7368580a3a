// The arguments of a test call as a person writes them: form and JSON in step, by mouse and by keys, in every look.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { accessible, becomes, retype } from "./support/page.ts";
import { json, jsonBecomes, jsonText, outcome, place, run, startTrial, type Trial } from "./support/trial.ts";

const BIG = "9007199254740993";

let trial: Trial;

before(async () => {
  trial = await startTrial();
});

after(() => trial?.stop());

test("from a tool's details to its test call, and back to where it was", async () => {
  await trial.trying("hotel", "answer", async (page) => {
    await page.goto(new URL(`/#/servers/${trial.id("hotel")}/book_room`, trial.toolgate.address).href);
    await page.getByRole("link", { name: "Try this tool…" }).click();
    await page.getByRole("heading", { name: "Try “book_room”" }).waitFor();
    await becomes(() => page.evaluate(() => document.activeElement?.tagName), "H1");
    await page.reload();
    await page.getByRole("heading", { name: "Try “book_room”" }).waitFor();
    await page.getByRole("link", { name: "Back to hotel" }).click();
    await page.locator(".tool.open").getByText("book_room").first().waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("data-part") === "open");
  });
});

test("a nested form fills the JSON, and the server gets each number as it was typed", async () => {
  await trial.trying("hotel", "book_room", async (page) => {
    await jsonBecomes(page, "{}");
    await place(page, "/guest/name").getByRole("textbox").fill("Ada");
    await place(page, "/nights").getByRole("textbox").fill("3");
    await place(page, "/room").getByRole("combobox").selectOption({ label: "suite" });
    await place(page, "/customer").getByRole("textbox").fill(BIG);
    await place(page, "/breakfast").getByRole("combobox").selectOption({ label: "true" });
    for (const [index, wish] of ["quiet", "sea view"].entries()) {
      await page.getByRole("button", { name: "Add item to wishes" }).click();
      const item = place(page, `/wishes/${index}`).getByRole("textbox");
      await becomes(() => item.evaluate((field) => field === document.activeElement), true);
      await page.keyboard.type(wish);
    }
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
    const before = trial.hotel.calls.length;
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    assert.equal(trial.hotel.calls.length, before + 1);
    assert.equal(trial.hotel.calls.at(-1)?.arguments, expected);
    // The outcome has the focus, and the answer has the number.
    await becomes(() => page.evaluate(() => document.activeElement?.id), "call-outcome");
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
  await trial.trying("hotel", "book_room", async (page) => {
    await json(page).fill(
      `{"zz": [1E5, {"é": null}], "customer": ${BIG}, "nights": "3x", "guest": {"name": "Bob", "email": null}}`,
    );
    await place(page, "/customer").getByRole("textbox").waitFor();
    await becomes(() => place(page, "/customer").getByRole("textbox").inputValue(), BIG);
    await becomes(() => place(page, "/guest/name").getByRole("textbox").inputValue(), "Bob");
    await becomes(() => place(page, "/zz/0").getByRole("textbox").inputValue(), "1E5");
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
    await retype(json(page), '{"nights": 4}');
    await place(page, "/nights").getByRole("textbox").waitFor();
  });
});

test("what does not fit is named in the form and in the JSON, with a way to it", async () => {
  await trial.trying(
    "hotel",
    "book_room",
    async (page) => {
      await page.locator("[data-tab=json]").click();
      await json(page).click();
      await json(page).fill('{\n  "guest": {"name": ""},\n  "nights": 99\n}');
      await page.getByText("2 things do not fit the tool’s schema").waitFor();
      const misfit = page.locator(".call-warnings li");
      await misfit.filter({ hasText: "nights: It should be at most 30." }).getByRole("button").click();
      await becomes(
        () =>
          page.evaluate(
            () => getSelection()?.anchorNode?.parentElement?.closest(".cm-focused .cm-line")?.textContent?.trim() ?? "",
          ),
        '"nights": 99',
      );
      await page.locator("[data-tab=form]").click();
      await misfit.getByRole("button", { name: "guest › name" }).click();
      await becomes(
        () =>
          place(page, "/guest/name")
            .getByRole("textbox")
            .evaluate((field) => field === document.activeElement),
        true,
      );
    },
    { width: 844 },
  );
});

test("a default is shown, and sent once a person says so", async () => {
  await trial.trying("hotel", "book_room", async (page) => {
    await place(page, "/room").getByText("Default:").waitFor();
    await jsonBecomes(page, "{}");
    await page.getByRole("button", { name: "Use default of room" }).click();
    await jsonBecomes(page, '{"room":"double"}');
    await place(page, "/room").getByRole("combobox").selectOption({ label: "Not sent" });
    await jsonBecomes(page, "{}");
  });
});

test("warnings do not block: the server decides", async () => {
  await trial.trying("hotel", "book_room", async (page) => {
    await json(page).fill('{"nights": 99, "unknown": 1}');
    await page.getByText("2 things do not fit the tool’s schema").waitFor();
    await place(page, "/nights").getByText("It should be at most 30.").waitFor();
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    assert.equal(trial.hotel.calls.at(-1)?.arguments, '{"nights":99,"unknown":1}');
  });
});

test("by keyboard alone: fill, run, read, fill again", async () => {
  await trial.trying("hotel", "book_room", async (page) => {
    await place(page, "/guest/name").getByRole("textbox").focus();
    await page.keyboard.type("Ada");
    await page.keyboard.press("Control+Enter");
    await outcome(page, "The tool answered").waitFor();
    await page.waitForFunction(() => document.activeElement?.id === "call-outcome");
    assert.equal(trial.hotel.calls.at(-1)?.arguments, '{"guest":{"name":"Ada"}}');
    await page.keyboard.press("Tab");
    await becomes(() => page.evaluate(() => document.activeElement?.getAttribute("role")), "tab");
    await page.keyboard.press("ArrowRight");
    await page.locator('[role="tab"][aria-selected="true"]').getByText("JSON").waitFor();
    // From the editor too, where these keys are a line break otherwise.
    await json(page).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type('{"nights": 2}');
    const before = trial.hotel.calls.length;
    await page.keyboard.press("Control+Enter");
    await trial.hotel.called(before + 1);
    assert.equal(trial.hotel.calls.at(-1)?.arguments, '{"nights":2}');
  });
});

test("the answer is brought into view, and says so once the arguments are others", async () => {
  await trial.trying("hotel", "book_room", async (page) => {
    const old = page.getByText("This answer is for the arguments as they were");
    await place(page, "/guest/name").getByRole("textbox").fill("Ada");
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    assert.ok(
      await page.locator(".result-view").evaluate((view) => view.getBoundingClientRect().top < innerHeight - 80),
      "the start of the answer is in view",
    );
    assert.equal(await old.count(), 0);
    await place(page, "/guest/name").getByRole("textbox").fill("Grace");
    await old.waitFor();
    await place(page, "/guest/name").getByRole("textbox").fill("Ada");
    await old.waitFor({ state: "detached" });
  });
});

test("results at the lower edge leave the bar with Run once free", async () => {
  for (const width of [375, 1440]) {
    await trial.trying(
      "hotel",
      "book_room",
      async (page) => {
        const boxes = await page.evaluate(() => {
          const [notices, bar] = [document.querySelector(".notices"), document.querySelector(".call-bar")];
          return {
            notices: notices?.getBoundingClientRect().bottom ?? Infinity,
            bar: bar?.getBoundingClientRect().top ?? 0,
          };
        });
        assert.ok(boxes.notices <= boxes.bar + 1, JSON.stringify(boxes));
      },
      { width },
    );
  }
});

test("earlier arguments are there again, until the page is closed", async () => {
  await trial.trying("hotel", "answer", async (page) => {
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
    await page.locator(".arg-fields.root").waitFor();
    assert.equal(await page.getByText("earlier set").count(), 0);
  });
});

test("without the second module the arguments are written as JSON, and it can be tried again", async () => {
  const context = await trial.browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
  try {
    const page = await context.newPage();
    let blocked = true;
    // The first module is loaded; from then on none is, until it is let through.
    await page.goto(trial.toolgate.address);
    await page.locator(".server-row").first().waitFor();
    await page.route("**/*.wasm", (route) => (blocked ? route.abort() : route.continue()));
    await page.goto(trial.address("hotel", "answer"));
    await page.getByText("The form could not be loaded").waitFor();
    await json(page).fill(`{"n": ${BIG}}`);
    await run(page);
    await outcome(page, "The tool answered").waitFor();
    assert.equal(trial.hotel.calls.at(-1)?.arguments, `{"n":${BIG}}`);
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
        await trial.trying(
          "hotel",
          "book_room",
          async (page) => {
            await accessible(page, "an empty form");
            const tabs = page.locator(".call-views [data-tab]");
            if ((await tabs.count()) > 0) await page.locator("[data-tab=json]").click();
            // A click waits until the editor, which may just be loading, has come to rest.
            await json(page).click();
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
            await place(page, "/nights").getByRole("textbox").fill("y");
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
