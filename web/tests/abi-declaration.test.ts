// The published declaration: its types are the contract's, and what is exported and put in place has them. The type
// check of this file is a part of the test.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import type * as Implemented from "../src/abi/index.ts";
import { place, mcpApi } from "../src/abi/install.ts";
import type * as Published from "../src/abi/package.d.ts";
import type { TauriTavernMcpApi } from "../src/abi/tauritavern-mcp.d.ts";

/** Whether two types are one: each takes the place of the other, and neither is `unknown` or without a type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export const functionsAreAsPublished: [
  Same<keyof typeof Published, keyof typeof Implemented>,
  Same<Parameters<typeof Published.overWebSocket>, Parameters<typeof Implemented.overWebSocket>>,
  Same<keyof Published.Connected, keyof Implemented.Connected>,
  Same<keyof Published.Options, keyof Implemented.Options>,
  Same<Published.ConnectionState, Parameters<NonNullable<Implemented.Options["onState"]>>[0]>,
  Same<Published.Connected["mcp"], TauriTavernMcpApi>,
] = [true, true, true, true, true, true];

/** Either may stand for the other. */
export const published: (implemented: typeof Implemented) => typeof Published = (implemented) => implemented;
export const implemented: (published: typeof Published) => typeof Implemented = (published) => published;

/** The contract's own lines of §1 and uses of every method have types that fit, in a page that has the declaration. */
export async function usesEveryMethod(): Promise<string[]> {
  await (window.__TAURITAVERN__?.ready ?? window.__TAURITAVERN_MAIN_READY__);
  const mcp = window.__TAURITAVERN__.api.mcp;
  const { servers, storageIssues } = await mcp.servers.list();
  const created = await mcp.servers.create({ displayName: "a", endpoint: "b" });
  const { id: registrationId, displayName, endpoint, headers, protocolVersion } = created;
  await mcp.servers.update({ registrationId, displayName, endpoint, headers, protocolVersion });
  await mcp.servers.setState({ registrationId, state: "active" });
  const { tools } = await mcp.servers.discover(registrationId);
  const { staleTools } = await mcp.servers.refresh({ registrationId });
  const nativeName = tools[0]?.nativeName ?? staleTools[0]?.nativeName ?? "";
  await mcp.tools.setPermission({ registrationId, nativeName, permission: "ask" });
  await mcp.tools.setDescriptionOverride({ registrationId, nativeName, override: null });
  const { signal } = new AbortController();
  const outcome = await mcp.tools.testCall({ registrationId, nativeName, argumentsJson: "{}" }, { signal });
  const said: string = outcome.outcome === "known_response" ? outcome.response.kind : outcome.code;
  const nothing: void = await mcp.servers.remove({ registrationId });
  // @ts-expect-error An override is an object or null.
  void (() => mcp.tools.setDescriptionOverride({ registrationId, nativeName, override: undefined }));
  // @ts-expect-error A state is one of two.
  void (() => mcp.servers.setState({ registrationId, state: "off" }));
  return [said, String(nothing), ...servers.map(({ id }) => id), ...storageIssues.map(({ fileName }) => fileName)];
}

/** Statements without what does not matter: comments, spacing, the kind of quotes, commas and bars at ends. */
function normalized(text: string): string {
  return text
    .replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "")
    .replaceAll('"', "'")
    .replace(/\s+/g, "")
    .replace(/([:=])\|/g, "$1")
    .replaceAll(",)", ")");
}

test("the declaration has the contract's types, word for word", async () => {
  const contract = await readFile(new URL("../../contracts/manager.zh.md", import.meta.url), "utf8");
  const declaration = await readFile(new URL("../src/abi/tauritavern-mcp.d.ts", import.meta.url), "utf8");
  const ours = normalized(declaration);
  const blocks = [...contract.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block ?? "");
  const types = blocks.flatMap((block) => block.split(/^(?=type )/m));
  const names = types.map((type) => /^type (\w+) =/.exec(type)?.[1]);
  assert.deepEqual(names, [
    "TauriTavernMcpApi",
    "McpServer",
    "ToolDescriptionOverride",
    "McpProtocolVersion",
    "McpDiscoveryResult",
    "McpTestCallOutcome",
  ]);
  for (const type of types) {
    assert.ok(ours.includes(`export${normalized(type)}`), `not in the declaration: ${type}`);
  }
});

const nobody = { request: () => assert.fail("nothing is asked for") };

test("the API takes its place beside what is there, and ready waits for both", async () => {
  const page = globalThis as { __TAURITAVERN__?: { ready?: Promise<unknown>; api?: Record<string, unknown> } };
  try {
    place(mcpApi(nobody), Promise.resolve());
    assert.deepEqual(Object.keys(page.__TAURITAVERN__?.api ?? {}), ["mcp"]);
    assert.throws(() => place(mcpApi(nobody), Promise.resolve()), /there already/);

    let ours: () => void = assert.fail;
    let theirs: () => void = assert.fail;
    const other = { ready: new Promise<void>((resolve) => (theirs = resolve)), api: { chat: {} } };
    page.__TAURITAVERN__ = other;
    place(mcpApi(nobody), new Promise((resolve) => (ours = resolve)));
    assert.deepEqual(Object.keys(other.api), ["chat", "mcp"]);
    const done: string[] = [];
    const both = other.ready.then(() => done.push("ready"));
    ours();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(done, []);
    theirs();
    await both;
  } finally {
    delete page.__TAURITAVERN__;
  }
});

test("the methods are those of the declaration and no others", () => {
  const { servers, tools } = mcpApi(nobody);
  const methods = ["create", "discover", "list", "refresh", "remove", "setState", "update"];
  assert.deepEqual(Object.keys(servers).sort(), methods);
  assert.deepEqual(Object.keys(tools).sort(), ["setDescriptionOverride", "setPermission", "testCall"]);
});
