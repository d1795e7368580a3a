// Toolgate against real servers of every SDK line: for each setting of the protocol version the version that must be
// agreed on or the refusal, the list of tools, and a call with an integer that a double cannot hold.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";

import { dataFolder, rpc, serve, type Toolgate } from "../browser/support/toolgate.ts";
import type { DiscoveryResult, ServerSummary } from "../../web/src/generated/types.ts";
import { negotiated, SETTINGS, shown, type Setting } from "./support/expected.ts";
import { SERVERS, type RealServer } from "./support/servers.ts";
import { page, type Row, type Seen } from "./support/table.ts";

const TABLE = resolve(import.meta.dirname, "../../docs/real-servers.md");

const names = Object.keys(SERVERS);
const servers = new Map<string, RealServer>();
const seen = new Map(names.map((name) => [name, new Map<Setting, Seen>()]));
let data: Awaited<ReturnType<typeof dataFolder>>;
let toolgate: Toolgate | undefined;

before(async () => {
  data = await dataFolder();
  const starting = Object.entries(SERVERS).map(async ([name, start]) => void servers.set(name, await start()));
  // Each that did start is ended, whatever became of the others.
  const outcomes = await Promise.allSettled([...starting, serve(data.path).then((program) => (toolgate = program))]);
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(({ reason }) => reason as unknown),
      "a program did not start",
    );
});

after(async () => {
  await Promise.all([toolgate?.stop(), ...[...servers.values()].map((server) => server.stop())]);
  await data.remove();
});

/** The result of a request that must succeed. */
async function ask<T>(method: string, params: unknown): Promise<T> {
  const { result, error } = await rpc(data.path, method, params);
  assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
  return result as T;
}

async function run(name: string, setting: Setting): Promise<void> {
  const server = servers.get(name);
  assert(server !== undefined);
  const config = { type: "http", url: server.url, headers: {}, protocolVersion: setting };
  const { id } = await ask<ServerSummary>("servers.create", { displayName: `${name} at ${setting}`, config });
  await ask("servers.setState", { id, state: "active" });
  const expected = negotiated(setting, server);

  const { result, error } = await rpc(data.path, "servers.discover", { id });
  if ("refusal" in expected) {
    const { data: refusal } = error as { data: { code: string } };
    assert.equal(refusal.code, expected.refusal, JSON.stringify(error));
    seen.get(name)?.set(setting, { negotiated: { refusal: refusal.code } });
    return;
  }
  assert.equal(error, undefined, JSON.stringify(error));
  const { protocolVersion, tools, diagnostics } = result as DiscoveryResult;
  assert.equal(protocolVersion, expected.version);
  assert.deepEqual(
    tools.map((tool) => tool.nativeName),
    server.tools,
  );
  assert.deepEqual(diagnostics, []);

  await ask("tools.setPermission", { id, nativeName: server.echo.tool, permission: "allow" });
  const outcome = await ask("tools.testCall", {
    id,
    nativeName: server.echo.tool,
    argumentsJson: server.echo.arguments,
  });
  const number = shown(server);
  const { textBlocks } = (outcome as { response?: { textBlocks?: unknown } }).response ?? {};
  assert.deepEqual(textBlocks, [{ index: 0, text: server.echo.answer(number) }], JSON.stringify(outcome));
  seen.get(name)?.set(setting, { negotiated: { version: protocolVersion }, tools: tools.length, number });
}

for (const name of names) {
  describe(name, { concurrency: 3 }, () => {
    for (const setting of SETTINGS) test(setting, () => run(name, setting));
  });
}

test("the table in docs is what was seen", async () => {
  const rows = names.map((name): Row => {
    const server = servers.get(name);
    assert(server !== undefined);
    const all = SETTINGS.map((setting) => seen.get(name)?.get(setting) ?? assert.fail(`${name} at ${setting} failed`));
    return { server, seen: all };
  });
  const table = page(rows);
  if (process.env["WRITE_TABLE"] === "1") await writeFile(TABLE, table);
  const committed = await readFile(TABLE, "utf8").catch(() => "");
  assert.equal(committed, table, "docs/real-servers.md is not current; run: WRITE_TABLE=1 cargo xtask test servers");
});
