// What is in the data folder of the pictures: sample servers with decisions about them, one of every other state, partners.

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { freePort } from "./process.ts";
import { SAMPLES, startSamples } from "./samples.ts";
import { rpc } from "./toolgate.ts";

const ids = new Map<string, string>();
/** The id of a server or partner by its name. */
export const id = (name: string): string => ids.get(name) ?? "";
/** For what is created elsewhere. */
export const remember = (name: string, itsId: string): void => void ids.set(name, itsId);

/** Fills a data folder: sample servers whose tools were read, and one of every other state. */
export async function fill(data: string, forReadme: boolean): Promise<void> {
  const call = async <T>(method: string, params: unknown): Promise<T> => {
    const answer = await rpc(data, method, params);
    if (answer.code !== 0) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result as T;
  };
  const create = async (displayName: string, config: unknown): Promise<void> => {
    ids.set(displayName, (await call<{ id: string }>("servers.create", { displayName, config })).id);
  };
  const samples = await startSamples();
  try {
    for (const { path, displayName, permissions } of SAMPLES) {
      await create(displayName, { type: "http", url: samples.url(path) });
      await call("servers.setState", { id: id(displayName), state: "active" });
      await call("servers.discover", { id: id(displayName) });
      await call("tools.setPermissions", { id: id(displayName), changes: permissions });
    }
    for (const { path, publicUrl } of SAMPLES) await replaceInFiles(data, samples.url(path), publicUrl);
  } finally {
    await samples.stop();
  }
  const tracker = id("Issue tracker");
  const describe = (nativeName: string, override: unknown) =>
    call("tools.setDescriptionOverride", { id: tracker, nativeName, override });
  await describe("search_issues", {
    description: "Find issues of the web team. Say the key of each one you mention.",
    properties: { project: "WEB unless the person names another project." },
  });
  if (!forReadme) {
    await call("tools.setPermission", { id: tracker, nativeName: "export_csv", permission: "allow" });
    await describe("export_csv", { description: "Only for the monthly report." });
  }
  await create("Photo library", { type: "http", url: "https://photos.example.net/mcp?album=2026" });
  await create("Home automation", {
    type: "http",
    url: "http://user:secret@home.example:8123/mcp?token=abc",
    headers: { Authorization: "Bearer 12345", "X-Room": "office" },
  });
  await create("Build server", { type: "http", url: `http://127.0.0.1:${await freePort()}/mcp` });
  await call("servers.setState", { id: id("Build server"), state: "active" });
  if (!forReadme) {
    await create("Notebook", { type: "http", url: `http://127.0.0.1:${await freePort()}/mcp` });
    await call("servers.setState", { id: id("Notebook"), state: "active" });
    await create("File notes", {
      type: "stdio",
      command: "npx",
      args: ["-y", "@example/files", "/home/you/notes"],
      env: { NOTES_TOKEN: "abc" },
    });
    await fillPartners(call);
  }
  if (!forReadme) {
    await writeFile(join(data, "_tauritavern/mcp/registrations/notes.txt"), "Not a server.\n");
  }
}

type Call = <T>(method: string, params: unknown) => Promise<T>;

/** A partner with more servers than are shown at first, one with nothing, and one that is off. */
async function fillPartners(call: Call): Promise<void> {
  const create = async (name: string) => {
    const { id: partnerId } = await call<{ id: string }>("partners.create", { name });
    ids.set(name, partnerId);
    return partnerId;
  };
  const research = await create("Research assistant");
  await call("partners.setEnabled", { partnerId: research, enabled: true });
  for (const [name, scope] of [
    ["Issue tracker", "all"],
    ["Company wiki", "permitted"],
    ["Weather", "all"],
    ["Photo library", "all"],
    ["Build server", "permitted"],
  ] as const) {
    await call("partners.grant", { partnerId: research, serverId: id(name), scope });
  }
  const night = await create("Night watch");
  await call("partners.grant", { partnerId: night, serverId: id("Weather") });
  await create("Companion");
}

/** The samples are shown under addresses as people know them, not under those of this run. */
async function replaceInFiles(folder: string, from: string, to: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".json")) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, "utf8");
    if (text.includes(JSON.stringify(from))) {
      await writeFile(file, text.replaceAll(JSON.stringify(from), JSON.stringify(to)));
    }
  }
}
