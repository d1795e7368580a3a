// Pictures of every screen and dialog, for eyes: `cargo xtask screenshots` writes them to `screenshots/`, each at three
// widths, in both themes and both languages. `--page` writes the picture of the README instead; `--only TEXT` takes the
// pictures alone whose name has that text, such as `375-dark-zh`; it may be given several times.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { startHotels } from "./support/call-shots.ts";
import { withPalette } from "./support/png.ts";
import { fill, id } from "./support/shown.ts";
import { dataFolder, rpc, serve, type Toolgate } from "./support/toolgate.ts";
import { prepareTrouble, troubleShots } from "./support/trouble-shots.ts";

const TOP = resolve(import.meta.dirname, "../..");
const FOLDER = join(TOP, "screenshots");
const README = join(TOP, "docs/page.png");
const README_BYTES = 150_000;

const { values: options } = parseArgs({
  options: { page: { type: "boolean" }, only: { type: "string", multiple: true } },
});

interface Look {
  width: number;
  height: number;
  colorScheme: "light" | "dark";
  locale: "en-US" | "zh-CN";
}

async function open<T = undefined>(
  browser: Browser,
  toolgate: Toolgate,
  look: Look,
  prepare?: (page: Page) => Promise<T>,
): Promise<{ page: Page; prepared: T | undefined }> {
  const { width, height, ...rest } = look;
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", ...rest });
  const page = await context.newPage();
  const prepared = await prepare?.(page);
  await page.goto(toolgate.address);
  await page.locator(".pane-head").waitFor();
  return { page, prepared };
}

type Act = (page: Page) => Promise<unknown>;
/** A picture: its name, where it begins, what a person does there, and what makes it as it was for the next one. */
type Shot = readonly [name: string, path: string, act: Act, undo?: Act];

const dialog = (page: Page) => page.locator("dialog");
const menuItem = async (page: Page, at: number) => {
  await page.locator(".server-tools [aria-haspopup=menu]").click();
  await page.getByRole("menuitem").nth(at).click();
};
const add = async (page: Page, text: string) => {
  await page.locator(".servers-pane .button.primary").click();
  await dialog(page).locator(".cm-content").fill(text);
};
const IMPORT = `{
  "mcpServers": {
    "docs": { "url": "http://docs.example.com/mcp", "disabled": true },
    "files": {
      "command": "npx",
      "args": ["-y", "@example/files", "/home/you/notes"],
      "env": { "LOG_LEVEL": "error" }
    },
    "tickets": { "type": "http", "url": "https://tickets.example.com/mcp", "headers": { "Authorization": "Bearer 1" } }
  }
}`;
const bring = async (page: Page, text: string) => {
  await page.locator(".servers-pane :is(.pane-actions, .empty-actions) .button.plain").click();
  await dialog(page).locator(".cm-content").fill(text);
  await dialog(page)
    .locator(text === "" ? ".check-empty" : ".import-entry")
    .first()
    .waitFor();
};
const server = (name: string, tool?: string) => `/#/servers/${id(name)}${tool === undefined ? "" : `/tools/${tool}`}`;

const partner = (name: string) => `/#/partners/${id(name)}`;

function shots(): readonly Shot[] {
  const list = (page: Page) => page.locator(".server-row").first().waitFor();
  const tools = (page: Page) => page.locator(".tool-list").waitFor();
  return [
    ["list", "/#/", list],
    ["list-issues", "/#/", (page) => page.locator(".issues > summary").click()],
    ["preferences", "/#/", (page) => page.locator("[aria-haspopup=dialog], .pane-head .icon-button").first().click()],
    ["row-menu", "/#/", (page) => page.locator(".server-row [aria-haspopup=menu]").nth(1).click()],
    [
      "remove-file",
      "/#/",
      async (page) => {
        await page.locator(".issues > summary").click();
        await page.locator(".issues .button").click();
      },
    ],
    ["add-empty", "/#/", (page) => add(page, "")],
    ["add-notes", "/#/", (page) => add(page, '{ "docs": { "url": "http://docs.example/mcp", "enabled": true, } }')],
    ["add-error", "/#/", (page) => add(page, '{\n  "docs": {\n    "url": 3,\n    "headers": []\n  }\n}')],
    [
      "add-several",
      "/#/",
      (page) =>
        add(
          page,
          '{\n  "mcpServers": {\n    "one": { "url": "https://one.example/mcp" },\n    "two": { "command": "npx" }\n  }\n}',
        ),
    ],
    [
      "add-form",
      "/#/",
      async (page) => {
        await page.locator(".servers-pane .button.primary").click();
        await dialog(page).locator("[data-tab=form]").click();
        await dialog(page).locator(".dialog-foot .primary").click();
      },
    ],
    ["import-empty", "/#/", (page) => bring(page, "")],
    ["import-ready", "/#/", (page) => bring(page, IMPORT)],
    ["import-mistakes", "/#/", (page) => bring(page, IMPORT.replace('"docs"', '"Weather"').replace('"npx"', "3"))],
    ["server", server("Issue tracker"), tools],
    [
      "server-stale",
      server("Issue tracker"),
      async (page) => {
        for (const at of [0, 1]) await page.locator(".notes summary").nth(at).click();
      },
    ],
    [
      "server-none-shown",
      server("Issue tracker"),
      async (page) => {
        await page.locator(".tools-bar input").fill("nothing like it");
        await page.locator(".tools-none").waitFor();
      },
    ],
    [
      "server-bulk",
      server("Issue tracker"),
      async (page) => {
        await page.locator(".tools-bar [aria-haspopup=menu]").click();
        await page.getByRole("menuitem").nth(1).waitFor();
      },
    ],
    ["tool", server("Issue tracker"), (page) => page.locator(".tool-open").nth(3).click()],
    [
      "tool-unready",
      server("Issue tracker"),
      async (page) => {
        await page.locator(".tools-bar input").fill("run_report");
        await page.locator(".tool-open").first().click();
      },
    ],
    ["tool-described", server("Issue tracker"), (page) => page.locator(".tool-open").first().click()],
    [
      "tool-describing",
      server("Issue tracker"),
      async (page) => {
        await page.locator(".tool-open").first().click();
        await page.locator("[data-edit]").click();
      },
    ],
    [
      "undo",
      server("Issue tracker"),
      async (page) => {
        await page.locator(".tool-open").first().click();
        await page.locator(".descriptions-actions .button").nth(1).click();
        await page.locator(".notice").waitFor();
      },
      async (page) => {
        await page.locator(".notice .button").click();
        await page.locator(".compare").waitFor();
      },
    ],
    ["server-paused", server("Photo library"), (page) => page.locator(".server-body .button").waitFor()],
    [
      "server-failed",
      server("Build server"),
      async (page) => {
        await page.locator(".server-body .button").first().click();
        await page.locator(".box.error").waitFor();
      },
    ],
    [
      "server-gone",
      "/#/servers/8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a",
      (page) => page.locator(".chosen-pane .empty").waitFor(),
    ],
    [
      "activate",
      server("Home automation"),
      async (page) => {
        await menuItem(page, 0);
        await dialog(page).locator(".exact").first().waitFor();
      },
    ],
    [
      "edit-form",
      server("Home automation"),
      async (page) => {
        await menuItem(page, 1);
        await dialog(page).locator("[role=tab]").first().waitFor();
      },
    ],
    [
      "edit-json",
      server("Home automation"),
      async (page) => {
        await menuItem(page, 1);
        await dialog(page).locator("[data-tab=json]").click();
        await dialog(page).locator(".cm-content").waitFor();
      },
    ],
    ["remove", server("Home automation"), (page) => menuItem(page, 2)],
    [
      "server-whole-address",
      server("Home automation"),
      async (page) => {
        await page.locator(".server-subtitle .link").click();
        await page.locator(".whole-address").waitFor();
      },
    ],
    [
      "edit-active",
      server("Company wiki"),
      async (page) => {
        await menuItem(page, 2);
        await dialog(page).locator("input.code").first().fill("https://wiki.example.com/api/v2/mcp");
        await dialog(page).locator(".box.warning").waitFor();
      },
    ],
    ["partners", "/#/partners", (page) => page.locator(".server-row").nth(2).waitFor()],
    ["partner", partner("Research assistant"), (page) => page.locator(".grant").nth(3).waitFor()],
    [
      "partner-all",
      partner("Research assistant"),
      async (page) => {
        await page.locator(".grants > .button").click();
        for (const at of [0, 1]) await page.locator(".grant details summary").nth(at).click();
      },
    ],
    ["partner-off", partner("Night watch"), (page) => page.locator(".grant").waitFor()],
    ["partner-nothing", partner("Companion"), (page) => page.locator(".partner-body .empty").waitFor()],
    [
      "partner-grant",
      partner("Night watch"),
      async (page) => {
        await page.locator(".grants-head .button").click();
        await dialog(page).locator("input[type=checkbox]").nth(1).check();
      },
    ],
    [
      "partner-new",
      "/#/partners",
      async (page) => {
        await page.locator(".servers-pane .button.primary").click();
        await dialog(page).locator(".dialog-foot .primary").click();
        await dialog(page).locator(".field-error").waitFor();
      },
    ],
    [
      "partner-remove",
      partner("Research assistant"),
      async (page) => {
        await menuItem(page, 2);
        await dialog(page).locator(".bullets").waitFor();
      },
    ],
  ];
}

async function everyShot(browser: Browser): Promise<void> {
  const wanted = (name: string): boolean =>
    options.only === undefined || options.only.some((part) => name.includes(part));
  if (options.only === undefined) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const [data, nothing] = [await dataFolder(), await dataFolder()];
  await fill(data.path, false);
  const hotels = await startHotels(data.path);
  const [full, empty] = [await serve(data.path), await serve(nothing.path)];
  await rpc(data.path, "servers.refresh", { id: id("Old hotel") });
  let taken = 0;
  const take = async (page: Page, name: string, isStill = true): Promise<void> => {
    await (isStill ? settled(page) : laidOut(page));
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    taken += 1;
  };
  try {
    for (const width of [375, 844, 1440]) {
      for (const colorScheme of ["light", "dark"] as const) {
        for (const locale of ["en-US", "zh-CN"] as const) {
          const look = { width, height: width === 375 ? 812 : 900, colorScheme, locale };
          const end = `${width}-${colorScheme}-${locale.slice(0, 2)}`;
          const each: [Toolgate, Shot][] = [...shots(), ...hotels.shots].map((shot) => [full, shot]);
          each.unshift([empty, ["partners-empty", "/#/partners", (page) => page.locator(".empty").waitFor()]]);
          each.unshift([empty, ["empty", "/#/", (page) => page.locator(".empty-example").waitFor()]]);
          for (const [toolgate, [name, path, act, undo]] of each) {
            if (!wanted(`${name}-${end}`)) continue;
            const { page } = await open(browser, toolgate, look);
            await page.goto(new URL(path, toolgate.address).href);
            await attempt(name, () => act(page));
            await take(page, `${name}-${end}`);
            await undo?.(page);
            await page.context().close();
          }
          for (const shot of troubleShots()) {
            if (!wanted(`${shot.name}-${end}`)) continue;
            const { page, prepared } = await open(browser, full, look, (page) => prepareTrouble(page, shot));
            await page.goto(new URL(shot.path, full.address).href);
            if (prepared) await attempt(shot.name, () => shot.act(page, prepared));
            await take(page, `${shot.name}-${end}`, false);
            await page.context().close();
          }
        }
      }
    }
  } finally {
    await Promise.all([full.stop(), empty.stop(), hotels.stop()]);
    await Promise.all([data.remove(), nothing.remove()]);
  }
  console.log(`${taken} pictures in ${FOLDER}`);
}

/** The README's picture: the Server screen as a person uses it. */
async function readmeShot(browser: Browser): Promise<void> {
  const data = await dataFolder();
  await fill(data.path, true);
  const toolgate = await serve(data.path);
  try {
    const { page } = await open(browser, toolgate, { width: 1440, height: 900, colorScheme: "light", locale: "en-US" });
    await page.goto(new URL(server("Issue tracker"), toolgate.address).href);
    await page.locator(".tool-list").waitFor();
    await settled(page);
    const picture = withPalette(await page.screenshot());
    if (picture.length > README_BYTES)
      throw new Error(`The picture has ${picture.length} bytes; at most ${README_BYTES}.`);
    await writeFile(README, picture);
    console.log(`${README}: ${picture.length} bytes`);
  } finally {
    await toolgate.stop();
    await data.remove();
  }
}

/** A picture that cannot be taken is one to mend; which one, is to be said. */
async function attempt(name: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new Error(`The picture ${name} could not be taken.`, { cause: error });
  }
}

/** Nothing is being read, laid out or faded any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector(".icon-activity:not(.call-progress *)") === null);
  await laidOut(page);
}

/** The same for what is to be seen while it is read. */
async function laidOut(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}

const browser = await launch();
try {
  await (options.page === true ? readmeShot(browser) : everyShot(browser));
} finally {
  await browser.close();
}
