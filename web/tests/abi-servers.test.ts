// `api.mcp.servers` over a host in memory: what it asks the host, and the contract's shapes that it makes of the answers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createMcpApi } from "../src/abi/index.ts";
import type { DiscoveryResult, ServerSummary } from "../src/generated/types.ts";
import { ID, MemoryHost, Refused, summary } from "./support/memory-host.ts";

function start(...servers: ServerSummary[]) {
  const host = new MemoryHost();
  host.answers["servers.list"] = () => ({ servers, storageIssues: [] });
  const { mcp, ready } = createMcpApi({ transport: host });
  host.become("open");
  return { host, mcp, ready };
}

const DOCS = {
  id: ID,
  displayName: "Docs",
  endpoint: "https://docs.example/mcp?k=1",
  headers: { "X-Key": "s" },
  protocolVersion: "auto",
  state: "paused",
  toolPermissions: { echo: "ask" },
  toolDescriptionOverrides: {},
};

test("ready resolves with the first connection, and what was asked before it is sent then", async () => {
  const host = new MemoryHost();
  host.answers["servers.list"] = () => ({ servers: [], storageIssues: [] });
  const states: string[] = [];
  const { mcp, ready } = createMcpApi({ transport: host, onState: (state) => states.push(state) });
  const listed = mcp.servers.list();
  host.become("open");
  await ready;
  assert.deepEqual(await listed, { servers: [], storageIssues: [] });
  assert.deepEqual(states, ["connecting", "open"]);
});

test("list has the HTTP servers with endpoint and headers, and the storage issues", async () => {
  const { host, mcp } = start();
  const stdio = summary({
    id: "0b7e",
    transport: "stdio",
    config: { type: "stdio", command: "npx", args: [], env: {}, protocolVersion: "auto" },
  });
  const issue = { fileName: "a.json", code: "mcp.storage_invalid", message: "Not JSON." } as const;
  const issues = [issue, { ...issue, fileName: `${ID}.json`, registrationId: ID }];
  host.answers["servers.list"] = () => ({ servers: [summary(), stdio], storageIssues: issues });
  assert.deepEqual(await mcp.servers.list(), { servers: [DOCS], storageIssues: issues });
  assert.deepEqual(host.of("servers.list")[0]?.params, { reveal: true });
});

test("create fills in what may be left out, and answers the server as it was saved", async () => {
  const { host, mcp } = start(summary());
  host.answers["servers.create"] = () => summary();
  assert.deepEqual(await mcp.servers.create({ displayName: "Docs", endpoint: "https://docs.example/mcp?k=1" }), DOCS);
  await mcp.servers.create({
    displayName: " x ",
    endpoint: "HTTP://A",
    headers: { a: "1", __proto__x: "2" },
    protocolVersion: "2025-06-18",
  });
  const [first, second] = host.of("servers.create");
  assert.deepEqual(first?.params, {
    displayName: "Docs",
    config: { type: "http", url: "https://docs.example/mcp?k=1", headers: {}, protocolVersion: "auto" },
  });
  assert.deepEqual(second?.params, {
    displayName: " x ",
    config: { type: "http", url: "HTTP://A", headers: { a: "1", __proto__x: "2" }, protocolVersion: "2025-06-18" },
  });
});

const UPDATE = {
  registrationId: ID,
  displayName: "Docs",
  endpoint: "https://docs.example/mcp?k=1",
  headers: { "X-Key": "s" },
  protocolVersion: "auto",
} as const;

test("update reads the revision again after a conflict, and the last writer wins", async () => {
  const { host, mcp } = start(summary());
  const config = { type: "http", url: "https://old.example", headers: {}, protocolVersion: "auto" } as const;
  let revision = 0;
  host.answers["servers.readConfig"] = () => ({ displayName: "Old", config, revision: String(++revision) });
  host.answers["servers.saveConfig"] = (params) =>
    params.revision === "3" ? summary() : new Refused("mcp.config_conflict", "revision");
  assert.deepEqual(await mcp.servers.update(UPDATE), DOCS);
  const saved = host.of("servers.saveConfig").map(({ params }) => params);
  const { displayName, endpoint: url, headers, protocolVersion } = UPDATE;
  const sent = { id: ID, displayName, config: { type: "http", url, headers, protocolVersion } };
  assert.deepEqual(
    saved,
    ["1", "2", "3"].map((revision) => ({ ...sent, revision })),
  );
  // No secret is read for it.
  assert.deepEqual(host.of("servers.readConfig")[0]?.params, { id: ID });
});

test("update gives up where somebody else always saves in between", async () => {
  const { host, mcp } = start(summary());
  const config = { type: "http", url: "https://old.example", headers: {}, protocolVersion: "auto" } as const;
  host.answers["servers.readConfig"] = () => ({ displayName: "Old", config, revision: "1" });
  host.answers["servers.saveConfig"] = () => new Refused("mcp.config_conflict", "revision");
  await assert.rejects(mcp.servers.update(UPDATE), (error: Error) => {
    assert.equal((error as Error & { code?: string }).code, "mcp.config_conflict");
    // The revision is no field of the API.
    assert.ok(!("path" in error));
    return true;
  });
  assert.equal(host.of("servers.saveConfig").length, 10);
});

test("update refuses a server that is a program, and never makes it an HTTP server", async () => {
  const { host, mcp } = start();
  host.answers["servers.readConfig"] = () => ({
    displayName: "Local",
    config: { type: "stdio", command: "npx", args: [], env: {}, protocolVersion: "auto" },
    revision: "1",
  });
  await assert.rejects(mcp.servers.update(UPDATE), { code: "mcp.transport_unsupported", path: "registrationId" });
  assert.equal(host.of("servers.saveConfig").length, 0);
});

test("setState, remove, discover and refresh ask for what their names say", async () => {
  const { host, mcp } = start(summary({ state: "active" }));
  host.answers["servers.setState"] = () => summary({ state: "active" });
  host.answers["servers.remove"] = () => null;
  host.answers["servers.discover"] = () => FOUND;
  host.answers["servers.refresh"] = () => FOUND;
  assert.deepEqual(await mcp.servers.setState({ registrationId: ID, state: "active" }), { ...DOCS, state: "active" });
  assert.deepEqual(host.of("servers.setState")[0]?.params, { id: ID, state: "active" });
  for (const method of ["remove", "discover", "refresh"] as const) {
    await mcp.servers[method](ID);
    await mcp.servers[method]({ registrationId: ID });
    assert.deepEqual(
      host.of(`servers.${method}`).map(({ params }) => params),
      [{ id: ID }, { id: ID }],
    );
  }
  assert.equal(await mcp.servers.remove(ID), undefined);
});

test("a stdio server's state can be set; it has no endpoint", async () => {
  const { host, mcp } = start(
    summary({
      transport: "stdio",
      config: { type: "stdio", command: "npx", args: ["secret"], env: {}, protocolVersion: "auto" },
    }),
  );
  host.answers["servers.setState"] = () => summary({ transport: "stdio" });
  const state = await mcp.servers.setState({ registrationId: ID, state: "paused" });
  assert.deepEqual(state, { ...DOCS, endpoint: "", headers: {} });
});

const FOUND: DiscoveryResult = {
  registrationId: ID,
  protocolVersion: "2025-11-25",
  serverName: "docs",
  tools: [
    {
      id: `mcp/${ID}:echo`,
      nativeName: "echo",
      title: "Echo",
      inputSchemaJson: '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
      outputSchemaJson: '{"type":"object"}',
      annotationsJson: '{"readOnlyHint":true}',
      permission: "ask",
      override: { description: "x" },
      notModelReady: [],
    },
    {
      id: `mcp/${ID}:add`,
      nativeName: "add",
      description: "Adds",
      inputSchemaJson: "{}",
      annotationsJson: "{}",
      permission: "off",
      notModelReady: [],
    },
  ],
  diagnostics: [
    { code: "mcp.tool_duplicate_name", message: "Two.", nativeName: "two", registrationId: ID, path: "tools" },
    { code: "mcp.catalog_persistence_failed", message: "Not written." },
  ],
  staleTools: [{ nativeName: "gone", permission: "allow" }],
  staleOverrides: [{ nativeName: "gone", properties: [] }],
};

test("a discovery has the contract's fields and no others, its schemas as objects", async () => {
  const { host, mcp } = start();
  host.answers["servers.discover"] = () => FOUND;
  const inputSchema: unknown = JSON.parse(FOUND.tools[0]?.inputSchemaJson ?? "");
  assert.deepEqual(await mcp.servers.discover(ID), {
    registrationId: ID,
    protocolVersion: "2025-11-25",
    serverName: "docs",
    tools: [
      {
        id: `mcp/${ID}:echo`,
        nativeName: "echo",
        title: "Echo",
        inputSchema,
        outputSchema: { type: "object" },
        annotations: { readOnlyHint: true },
        permission: "ask",
      },
      {
        id: `mcp/${ID}:add`,
        nativeName: "add",
        description: "Adds",
        inputSchema: {},
        annotations: {},
        permission: "off",
      },
    ],
    diagnostics: [
      { code: "mcp.tool_duplicate_name", nativeName: "two", message: "Two." },
      { code: "mcp.catalog_persistence_failed", message: "Not written." },
    ],
    staleTools: [{ nativeName: "gone", permission: "allow" }],
  });
});

test("a refusal of the host rejects with its code, its message, and the field by the API's name", async () => {
  const { host, mcp } = start();
  const paths = [
    ["config.url", "endpoint"],
    ["config.headers.X-Key", "headers.X-Key"],
    ["displayName", "displayName"],
    ["config.protocolVersion", "protocolVersion"],
    [undefined, undefined],
  ] as const;
  for (const [path, field] of paths) {
    host.answers["servers.create"] = () => new Refused("mcp.endpoint_invalid", path, "No.");
    await assert.rejects(mcp.servers.create({ displayName: "", endpoint: "" }), (error: Error) => {
      assert.deepEqual({ ...error, message: error.message }, withPath({ code: "mcp.endpoint_invalid" }, field));
      return true;
    });
  }
  host.answers["servers.remove"] = () => new Refused("mcp.registration_id_invalid", "id");
  await assert.rejects(mcp.servers.remove(""), { code: "mcp.registration_id_invalid", path: "registrationId" });
});

function withPath(error: object, path: string | undefined): object {
  return { name: "McpApiError", message: "No.", ...error, ...(path !== undefined && { path }) };
}

test("what was sent over a connection that broke is not known, and without a connection nothing is sent", async () => {
  const { host, mcp } = start();
  const removed = mcp.servers.remove(ID);
  await host.request("servers.remove");
  host.become("lost");
  await assert.rejects(removed, { code: "mcp.host_connection_lost" });
  await assert.rejects(mcp.servers.remove(ID), { code: "mcp.host_required" });
  host.become("open");
  assert.equal(host.of("servers.remove").length, 1);
});

test("a server that is gone right after it was made is said to be gone", async () => {
  const { host, mcp } = start();
  host.answers["servers.create"] = () => summary();
  await assert.rejects(mcp.servers.create({ displayName: "a", endpoint: "http://a" }), {
    code: "mcp.registration_not_found",
    path: "registrationId",
  });
});
