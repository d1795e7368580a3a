// Pictures of what goes wrong or takes long, and of dialogs under way: with a host that is slow, refuses or has gone, since
// no folder of data shows these by itself.

import type { Page } from "playwright-core";

import { standBetween, type Between, type Treatment } from "./between.ts";
import { id } from "./shown.ts";

type Act = (page: Page, between: Between) => Promise<unknown>;
export interface TroubleShot {
  readonly name: string;
  readonly path: string;
  readonly act: Act;
  /** From the first moment on. */
  readonly treatments: Readonly<Record<string, Treatment>>;
}

const dialog = (page: Page) => page.locator("dialog");
const server = (name: string) => `/#/servers/${id(name)}`;
const primary = (page: Page) => dialog(page).locator(".dialog-foot .primary").click();
const menuItem = async (page: Page, at: number) => {
  await page.locator(".server-tools [aria-haspopup=menu]").click();
  await page.getByRole("menuitem").nth(at).click();
};
const wait = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
const click = (selector: string) => (page: Page) => page.locator(selector).first().click();
/** Fills a field of the dialog. */
const type = (selector: string, text: string) => (page: Page) => dialog(page).locator(selector).first().fill(text);
const escape = (page: Page) => page.keyboard.press("Escape");
/** One after the other. */
const steps =
  (...acts: readonly Act[]): Act =>
  async (page, between) => {
    for (const act of acts) await act(page, between);
  };
const boxed = wait(".box.error");
const REFUSED: Treatment = {
  refuse: "mcp.connection_connection_refused",
  message: "Nothing listens at 127.0.0.1:8931.",
};
const UNREADABLE: Treatment = {
  refuse: "mcp.storage_folder_unreadable",
  message:
    "The folder /home/you/.local/share/toolgate/_tauritavern/mcp/registrations cannot be read (permission denied). Check " +
    "that it is a folder you may read.",
};
const UNWRITABLE: Treatment = {
  refuse: "mcp.storage_write_failed",
  message:
    "/home/you/.local/share/toolgate/_tauritavern/mcp/registrations/3f1c2a5e-7d0b-4c52-9b1e-8a6f5d4c3b2a.json could not " +
    "be written (no storage space). Check that the disk has room and that the folder may be written to.",
};

interface Change {
  readonly diagnostics: readonly object[];
  readonly tools: readonly object[];
}
const catalog = (change: Partial<Change>): Treatment => ({ change: (result: object) => ({ ...result, ...change }) });
const NOTES = [
  {
    code: "mcp.tool_duplicate_name",
    nativeName: "search",
    message: "The server lists this name more than once; none of these tools is offered.",
  },
  {
    code: "mcp.tool_size_limit",
    nativeName: "dump",
    message: "The tool is 300000 bytes of JSON; 262144 are the most that is read.",
  },
];

const openAdd = (page: Page) => page.locator(".servers-pane .button.primary").click();
const toForm = (page: Page) => dialog(page).locator("[data-tab=form]").click();
const addForm = async (page: Page, name: string, url: string) => {
  await openAdd(page);
  await toForm(page);
  await dialog(page).locator(".add-form input").first().fill(name);
  await dialog(page).locator("input.code").first().fill(url);
};
const bring = steps(
  click(".servers-pane :is(.pane-actions, .empty-actions) .button.plain"),
  (page) =>
    dialog(page).locator(".cm-content").fill('{ "mcpServers": { "docs": { "url": "https://d.example/mcp" } } }'),
  wait("dialog .import-entry"),
);
const toStdio = (page: Page) => dialog(page).locator('[data-value="stdio"]').click();
const editDialog = async (page: Page) => {
  await menuItem(page, 1);
  await dialog(page).locator("[role=tab], .box.error").first().waitFor();
};
const activate = async (page: Page) => {
  await menuItem(page, 0);
  await dialog(page).locator(".exact").first().waitFor();
};

/** From now on the list says that the server is active, as it does once its activation went well. */
const activated =
  (name: string): Act =>
  async (_page, between) =>
    between.treat("servers.list", {
      change: (list: { servers: readonly { id: string }[] }) => ({
        ...list,
        servers: list.servers.map((one) => (one.id === id(name) ? { ...one, state: "active" } : one)),
      }),
    });

const shot = (
  name: string,
  path: string,
  act: Act,
  treatments: Readonly<Record<string, Treatment>> = {},
): TroubleShot => ({ name, path, act, treatments });

function serverShots(): TroubleShot[] {
  return [
    shot("list-loading", "/#/", wait(".skeleton"), { "servers.list": "hold" }),
    shot("list-failed", "/#/", boxed, { "servers.list": UNREADABLE }),
    shot("list-none-shown", "/#/", async (page) => {
      await page.locator(".pane-search input").fill("nothing like it");
      await wait(".pane-part.muted, .server-none")(page);
    }),
    shot("list-offline", "/#/", async (page, between) => {
      await wait("[data-server]")(page);
      await between.cut();
      await wait(".banner")(page);
    }),
    shot("list-not-paused", "/#/", steps(click(".server-row .switch[aria-checked=true]"), wait(".notice")), {
      "servers.setState": UNWRITABLE,
    }),
    shot("list-recommendation-failed", "/#/", wait(".notice"), { "servers.offerRecommended": UNWRITABLE }),
    shot("server-unread", server("Notebook"), wait(".server-body .empty")),
    shot(
      "server-reading",
      server("Notebook"),
      steps(click(".server-body .button"), wait(".server-body .empty .icon-activity")),
      { "servers.discover": "hold" },
    ),
    shot(
      "server-refreshing",
      server("Issue tracker"),
      steps(click(".server-tools .button"), wait(".server-tools [aria-disabled=true]")),
      { "servers.refresh": "hold" },
    ),
    shot(
      "server-refresh-failed",
      server("Issue tracker"),
      steps(click(".server-tools .button"), wait(".box.warning")),
      {
        "servers.refresh": REFUSED,
      },
    ),
    shot("server-failed-before", server("Old hotel"), wait(".box.warning")),
    shot("server-notes", server("Company wiki"), steps(click(".notes summary")), {
      "servers.discover": catalog({ diagnostics: NOTES }),
    }),
    shot("server-no-tools", server("Company wiki"), wait(".server-body .empty"), {
      "servers.discover": catalog({ tools: [] }),
    }),
    shot(
      "server-not-saved",
      server("Company wiki"),
      steps((page) => page.locator('.tool [data-value="allow"]').nth(1).click(), wait(".notice")),
      { "tools.setPermission": UNWRITABLE },
    ),
    shot(
      "server-bulk-done",
      server("Company wiki"),
      steps(
        click(".tools-bar [aria-haspopup=menu]"),
        (page) => page.getByRole("menuitem").nth(1).click(),
        wait(".notice"),
      ),
      { "tools.setPermissions": { answer: {} } },
    ),
    shot("server-program", server("File notes"), wait(".server-body .empty")),
    shot("tool-schema", server("Issue tracker"), async (page) => {
      await page.locator(".tool-open").nth(3).click();
      await page.locator(".tool-details [data-tab=json], .tool-details .disclosure summary").first().click();
    }),
    shot("part-not-loaded", "/#/", steps(openAdd, wait(".box.error, .notice"))),
  ];
}

function dialogShots(): TroubleShot[] {
  return [
    shot("add-draft", "/#/", async (page) => {
      await addForm(page, "Docs", "https://docs.example.com/mcp");
      await page.keyboard.press("Escape");
      await openAdd(page);
      await wait(".draft-note")(page);
    }),
    shot("add-doubled-name", "/#/", async (page) => {
      await addForm(page, "Weather", "http://docs.example.com/mcp");
      await wait(".check-title.warning")(page);
    }),
    shot(
      "add-refused",
      "/#/",
      steps((page) => addForm(page, "Docs", "https://docs.example.com/mcp"), primary, boxed),
      { "servers.create": UNWRITABLE },
    ),
    shot("add-program", "/#/", async (page) => {
      await openAdd(page);
      await toForm(page);
      await toStdio(page);
      await dialog(page).locator(".add-form input").first().fill("Everything");
      await dialog(page).locator("input.code").first().fill("npx -y @modelcontextprotocol/server-everything");
      await wait(".check-title.warning")(page);
    }),
    shot("import-done", "/#/", steps(bring, primary, wait(".imported")), {
      "servers.import": {
        answer: {
          servers: [
            {
              id: id("Photo library"),
              displayName: "Photo library",
              target: "https://photos.example.net",
              transport: "http",
            },
            { id: id("File notes"), displayName: "File notes", target: "npx", transport: "stdio" },
          ],
          notes: [],
        },
      },
    }),
    shot("import-refused", "/#/", steps(bring, primary, boxed), { "servers.import": UNWRITABLE }),
    shot("activate-program", server("File notes"), async (page) => {
      await activate(page);
      await dialog(page).locator(".name-list + .link, section .link").first().click();
    }),
    shot("activate-connecting", server("Home automation"), steps(activate, primary, wait("dialog .progress")), {
      "servers.setState": { answer: {} },
      "servers.discover": "hold",
      "servers.refresh": "hold",
    }),
    shot("activate-failed", server("Home automation"), steps(activate, activated("Home automation"), primary, boxed), {
      "servers.setState": { answer: {} },
      "servers.discover": REFUSED,
      "servers.refresh": REFUSED,
    }),
    shot(
      "activate-conflict",
      server("Home automation"),
      steps(activate, primary, (page) => dialog(page).locator(".box").nth(1).waitFor()),
      { "servers.setState": { refuse: "mcp.config_conflict" } },
    ),
    shot(
      "activate-unreadable",
      server("Home automation"),
      steps((page) => menuItem(page, 0), boxed),
      { "servers.readConfig": UNREADABLE },
    ),
    shot("edit-unreadable", server("Home automation"), editDialog, {
      "servers.readConfig": UNREADABLE,
    }),
    shot(
      "edit-conflict",
      server("Home automation"),
      steps(editDialog, type(".add-form input", "Home"), primary, wait("dialog .box.warning")),
      { "servers.saveConfig": { refuse: "mcp.config_conflict" } },
    ),
    shot(
      "edit-draft",
      server("Home automation"),
      steps(editDialog, type("input.code", "https://home.example/mcp"), escape, editDialog),
    ),
    shot("edit-shown", server("Home automation"), async (page) => {
      await editDialog(page);
      await dialog(page).locator(".box .button").first().click();
      await dialog(page).locator(".box .button").first().waitFor({ state: "detached" });
    }),
    shot(
      "edit-mistakes",
      server("Home automation"),
      steps(
        editDialog,
        type(".add-form input", ""),
        type("input.code", "ftp://home.example"),
        primary,
        wait(".field-error"),
      ),
    ),
    shot("edit-program", server("File notes"), editDialog),
    shot("edit-moves", server("Photo library"), editDialog, {
      "host.info": {
        change: (info: { credentials?: object }) => ({ ...info, credentials: { ...info.credentials, otherForm: 2 } }),
      },
    }),
  ];
}

function partnerShots(): TroubleShot[] {
  const partner = (name: string) => `/#/partners/${id(name)}`;
  return [
    shot("partners-loading", "/#/partners", wait(".skeleton"), { "partners.list": "hold" }),
    shot("partners-failed", "/#/partners", boxed, { "partners.list": UNREADABLE }),
    shot("partner-gone", "/#/partners/8c0a7f0e-31bb-4c6e-9f58-5d5e1c6d2b1a", wait(".chosen-pane .empty")),
    shot("partner-unread", partner("Night watch"), boxed, { "partners.preview": UNREADABLE }),
    shot(
      "partner-rename",
      partner("Night watch"),
      steps((page) => menuItem(page, 1), wait("dialog input")),
    ),
    shot("partner-withdrawn", partner("Night watch"), steps(click(".grant .button"), wait(".notice")), {
      "partners.revoke": { answer: {} },
    }),
    shot(
      "partner-grant-none",
      partner("Night watch"),
      steps(
        click(".grants-head .button"),
        type("input[type=search]", "nothing like it"),
        wait("dialog .muted[role=status]"),
      ),
    ),
    shot(
      "partner-grant-refused",
      partner("Night watch"),
      steps(click(".grants-head .button"), click("dialog input[type=checkbox]"), primary, boxed),
      { "partners.grant": UNWRITABLE },
    ),
  ];
}

export function troubleShots(): TroubleShot[] {
  return [...serverShots(), ...dialogShots(), ...partnerShots()];
}

/** What has to be there before the page is opened. */
export async function prepareTrouble(page: Page, { name, treatments }: TroubleShot): Promise<Between> {
  if (name === "part-not-loaded") await page.route(/add-dialog-.*\.js/, (route) => route.abort());
  return standBetween(page, treatments);
}
