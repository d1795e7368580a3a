// Toolgate with real servers that are child processes, started as their documentation says: what they list, a call with
// an integer that a double cannot hold, that nothing of them is left, and how real tools fail.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { start, type Program } from "../browser/support/process.ts";
import { dataFolder, rpc, serve, type Toolgate } from "../browser/support/toolgate.ts";
import type { DiscoveryResult, ServerSummary } from "../../web/src/generated/types.ts";
import { NUMBER } from "./support/servers.ts";

const DOUBLE = String(Number(NUMBER));
/** Marks every process of a test's server. */
const MARK = `toolgate-stdio-${process.pid}-${Date.now()}`;

let data: Awaited<ReturnType<typeof dataFolder>>;
let toolgate: Toolgate | undefined;
let remote: Program | undefined;
/** A home and a working folder, so that nothing of this computer's user is read or written. */
let folder: string;

before(async () => {
  data = await dataFolder();
  folder = await mkdtemp(join(tmpdir(), "toolgate-stdio-"));
  toolgate = await serve(data.path);
  remote = await start(named("PYTHON_MCP_2"), [script("fastmcp_4.py")], /^\{"url".*\}$/);
});

after(async () => {
  await Promise.all([toolgate?.stop(), remote?.stop()]);
  await data.remove();
  await rm(folder, { recursive: true, force: true });
});

interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Real {
  readonly start: () => Started;
  readonly version: RegExp;
  readonly tools: readonly string[];
  /** A call that hands over the number, and the text that answers. */
  readonly call: () => { readonly tool: string; readonly arguments: string };
  readonly answer: RegExp;
}

/** `npx -y`, as the documentation of these packages says; here it finds the pinned ones. */
const npx = (...args: string[]): Started => ({ command: "npx", args: ["-y", ...args] });

const echo = (): { tool: string; arguments: string } => ({ tool: "echo_number", arguments: `{"n":${NUMBER}}` });
const echoing = { tools: ["echo_number", "shout"], call: echo };

const SERVERS: Readonly<Record<string, Real>> = {
  "server-everything": {
    start: () => npx("@modelcontextprotocol/server-everything", "stdio"),
    version: /^2025-11-25$/,
    tools: ["echo", "get-sum"],
    call: () => ({ tool: "get-sum", arguments: `{"a":${NUMBER},"b":0}` }),
    answer: new RegExp(`^The sum of ${DOUBLE} and 0 is ${DOUBLE}\\.$`),
  },
  "server-filesystem": {
    start: () => npx("@modelcontextprotocol/server-filesystem", folder),
    version: /^2025-11-25$/,
    tools: ["read_text_file", "write_file"],
    call: () => ({
      tool: "write_file",
      arguments: JSON.stringify({ path: join(folder, "number.txt"), content: NUMBER }),
    }),
    answer: /^Successfully wrote to /,
  },
  "server-memory": {
    start: () => ({ ...npx("@modelcontextprotocol/server-memory"), env: { MEMORY_FILE_PATH: join(folder, "memory") } }),
    version: /^2025-11-25$/,
    tools: ["create_entities", "read_graph"],
    call: () => ({
      tool: "create_entities",
      arguments: `{"entities":[{"name":"n","entityType":"number","observations":["${NUMBER}"]}]}`,
    }),
    answer: new RegExp(NUMBER),
  },
  "Python SDK 1": {
    ...echoing,
    start: () => ({ command: named("PYTHON_MCP_1"), args: [script("mcp_1.py"), "--stdio"] }),
    version: /^2025-11-25$/,
    answer: new RegExp(`^${NUMBER}$`),
  },
  "Python SDK 2": {
    ...echoing,
    start: () => ({ command: named("PYTHON_MCP_2"), args: [script("mcp_2.py"), "--stdio"] }),
    version: /^2026-07-28$/,
    answer: new RegExp(`^${NUMBER}$`),
  },
  FastMCP: {
    ...echoing,
    start: () => ({ command: named("PYTHON_MCP_2"), args: [script("fastmcp_4.py"), "--stdio"] }),
    version: /^2026-07-28$/,
    answer: new RegExp(`^${NUMBER}$`),
  },
  "mcp-remote": {
    ...echoing,
    start: () => npx("mcp-remote", remoteUrl()),
    // It speaks every version that the server behind it does; one that is slow to begin is spoken with in an older one.
    version: /^2026-07-28$|^2025-11-25$/,
    // It is JavaScript, and reads every number on the way.
    answer: new RegExp(`^${DOUBLE}$`),
  },
};

describe("real servers that are child processes", { concurrency: 1 }, () => {
  for (const [name, real] of Object.entries(SERVERS)) {
    test(name, async () => {
      const id = await registered(name, real.start());
      const { protocolVersion, tools } = await ask<DiscoveryResult>("servers.discover", { id });
      assert.match(protocolVersion, real.version);
      const names = tools.map((tool) => tool.nativeName);
      for (const tool of real.tools) assert(names.includes(tool), `${tool} is not among ${names.join(", ")}`);
      const { tool, arguments: argumentsJson } = real.call();
      const outcome = await ask("tools.testCall", { id, nativeName: tool, argumentsJson });
      const [block] = (outcome as { response?: { textBlocks?: { text: string }[] } }).response?.textBlocks ?? [];
      assert.match(block?.text ?? "", real.answer, JSON.stringify(outcome));
      await gone(id);
    });
  }
});

test("a file written by a call is there", async () => {
  assert.equal(await readFile(join(folder, "number.txt"), "utf8"), NUMBER);
});

describe("how real tools fail", { concurrency: 2 }, () => {
  const fails = (name: string, code: string, started: () => Started | Promise<Started>): void => {
    test(name, async () => {
      const id = await registered(name, await started());
      const { error } = await rpc(data.path, "servers.discover", { id });
      const { data: refusal } = error as { data: { code: string } };
      assert.equal(refusal.code, code, JSON.stringify(error));
      await gone(id);
    });
  };
  fails("mcp-remote beyond this computer", "mcp.connection_http_not_allowed", () =>
    npx("mcp-remote", "http://example.com/mcp"),
  );
  fails("mcp-remote and a closed port", "mcp.connection_connection_refused", async () => {
    const { url, close } = await listen(() => {});
    await close();
    return npx("mcp-remote", `${url}/mcp`);
  });
  fails("mcp-remote and an unknown host", "mcp.connection_dns", () =>
    npx("mcp-remote", "http://no-such-host.invalid/mcp", "--allow-http"),
  );
  fails("mcp-remote and a server that asks for credentials", "mcp.connection_unauthorized", async () => {
    const { url } = await listen((_, answer) => void answer.writeHead(401).end());
    return npx("mcp-remote", `${url}/mcp`);
  });
  fails("mcp-remote and a server that refuses access", "mcp.connection_forbidden", async () => {
    const { url } = await listen((_, answer) => void answer.writeHead(403).end());
    return npx("mcp-remote", `${url}/mcp`);
  });
  fails("npx and a package that does not exist", "mcp.connection_dependency_missing", async () => {
    const { url } = await listen((_, answer) => void answer.writeHead(404).end("{}"));
    return registry(url);
  });
  fails("npx without a network", "mcp.connection_dependency_missing", () => {
    const { command, args, env } = registry("http://127.0.0.1:9");
    return { command, args, env: { ...env, npm_config_offline: "true" } };
  });
  fails("npx and a registry that is not there", "mcp.connection_connection_refused", async () => {
    const { url, close } = await listen(() => {});
    await close();
    return registry(url);
  });
  fails("npx and a package that is not what it was", "mcp.connection_npm_cache_broken", async () => {
    const { url } = await listen((request, answer) => {
      if (request.url?.endsWith(".tgz") === true) return void answer.end("something else");
      const integrity = `sha512-${createHash("sha512").update("the package").digest("base64")}`;
      const dist = { tarball: `${url}/x.tgz`, integrity };
      const version = { name: "toolgate-no-such-package", version: "1.0.0", bin: "x.js", dist };
      answer.setHeader("content-type", "application/json");
      answer.end(
        JSON.stringify({ name: version.name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }),
      );
    });
    return registry(url);
  });
});

/** `npx` of a package that is nowhere but, perhaps, in this registry. */
function registry(url: string): Started & { env: Record<string, string> } {
  return { ...npx("toolgate-no-such-package"), env: { npm_config_registry: url, npm_config_fetch_retries: "0" } };
}

/** A registered and active server; its id. */
async function registered(name: string, { command, args, env }: Started): Promise<string> {
  const config = {
    type: "stdio",
    command,
    args,
    env: { HOME: join(folder, "home"), ...env, [MARK]: name },
    cwd: import.meta.dirname,
  };
  const { id } = await ask<ServerSummary>("servers.create", { displayName: name, config });
  await ask("servers.setState", { id, state: "active" });
  return id;
}

/** The result of a request that must succeed. */
async function ask<T>(method: string, params: unknown): Promise<T> {
  const { result, error } = await rpc(data.path, method, params);
  assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`);
  return result as T;
}

/** Removes a server and waits until no process is left that was started with its mark. */
async function gone(id: string): Promise<void> {
  const list = await ask<{ servers: ServerSummary[] }>("servers.list", {});
  const name = list.servers.find((server) => server.id === id)?.displayName;
  await ask("servers.remove", { id });
  const deadline = Date.now() + 10_000;
  for (;;) {
    const left = await marked(`${MARK}=${name}`);
    if (left.length === 0) return;
    assert(Date.now() < deadline, `processes are left: ${left.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The processes with this in their environment. Only Linux shows it; elsewhere nothing is found. */
async function marked(mark: string): Promise<string[]> {
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const environments = processes.map((id) => readFile(`/proc/${id}/environ`, "utf8").catch(() => ""));
  const read = await Promise.all(environments);
  return processes.filter((_, index) => read[index]?.split("\0").includes(mark));
}

/** An HTTP server on a free port of loopback, until the tests end or it is closed. */
async function listen(answer: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  // It holds up the end of no test.
  server.unref();
  const address = server.address();
  assert(address !== null && typeof address === "object");
  const close = async (): Promise<void> => {
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${address.port}`, close };
}

function remoteUrl(): string {
  assert(remote !== undefined);
  return (JSON.parse(remote.ready[0]) as { url: string }).url;
}

function script(file: string): string {
  return join(import.meta.dirname, "servers", file);
}

/** A program that `cargo xtask test servers` has made. */
function named(variable: string): string {
  const program = process.env[variable];
  if (program === undefined) throw new Error(`${variable} is not set; run this test by: cargo xtask test servers`);
  return program;
}
