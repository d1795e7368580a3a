// Reading the tools of one server, over HTTP and as a child process, and calling one: Toolgate beside the clients that a
// program would use instead, and by the command line beside the Inspector's.

import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { newDataFolder } from "../../tests/browser/support/toolgate.ts";
import { addServer, post, startHost, type Config } from "./host.ts";
import { places, type Places } from "./places.ts";
import { perSecond, repeated, times, type Times } from "./stats.ts";

const run = promisify(execFile);

/** The sizes of the lists. */
const TOOLS = [1, 100, 512] as const;
const REPEATS = 15;
const CALLS = 200;

/** A server of the comparison: where it is for Toolgate, and as arguments of a peer. */
interface Target {
  readonly config: Config;
  readonly peer: readonly string[];
}

function target(kind: "http" | "stdio", tools: number, server: string): Target {
  const { SERVER } = places();
  return kind === "http"
    ? { config: { type: "http", url: `${server}/${tools}/mcp` }, peer: ["http", `${server}/${tools}/mcp`] }
    : { config: { type: "stdio", command: SERVER, args: [String(tools)] }, peer: ["stdio", SERVER, String(tools)] };
}

/** What a client took. */
export interface ClientTimes {
  /** Connecting, reading every page of the list. */
  readonly discover: Record<string, Times>;
  /** One call on a connection that stands, over HTTP. */
  readonly call: Times;
}

/** Every client against every list. */
export async function clients(server: string): Promise<Record<string, ClientTimes>> {
  const all: Record<string, ClientTimes> = { Toolgate: await toolgate(server) };
  const { RUST_PEER, PYTHON, NODE_22, PEERS } = places();
  const peers: Record<string, readonly string[]> = {
    "Rust SDK": [RUST_PEER],
    "TypeScript SDK": [NODE_22, `${PEERS}/typescript.mjs`],
    "Python SDK": [PYTHON, `${PEERS}/python_sdk.py`],
  };
  for (const [name, [command = "", ...args]] of Object.entries(peers)) {
    const discover: Record<string, Times> = {};
    let call: Times | undefined;
    for (const kind of ["http", "stdio"] as const) {
      for (const tools of TOOLS) {
        const calls = kind === "http" && tools === 1 ? CALLS : 0;
        const peer = [...args, String(REPEATS + 1), String(calls), ...target(kind, tools, server).peer];
        const { stdout } = await run(command, peer, { maxBuffer: 64 << 20 });
        const said = JSON.parse(stdout) as { tools: number; discoverMs: number[]; callMs: number[] };
        if (said.tools !== tools) throw new Error(`${name} read ${said.tools} of ${tools} tools`);
        // The first of a process warms it up.
        discover[`${kind} ${tools}`] = times(said.discoverMs.slice(1));
        if (calls > 0) call = times(said.callMs.slice(1));
      }
    }
    if (call !== undefined) all[name] = { discover, call };
  }
  return all;
}

/** `servers.refresh`: besides reading the list it compiles every schema, saves the catalog and answers with it. */
async function toolgate(server: string): Promise<ClientTimes> {
  const data = await newDataFolder();
  const host = await startHost(data.path);
  try {
    const discover: Record<string, Times> = {};
    for (const kind of ["http", "stdio"] as const) {
      for (const tools of TOOLS) {
        const id = await addServer(host, `${kind}-${tools}`, target(kind, tools, server).config);
        discover[`${kind} ${tools}`] = await repeated(REPEATS, async () => {
          const found = await host.answer("servers.refresh", { id });
          if (!found.includes(`_${tools - 1}"`)) throw new Error(`not all ${tools} tools came: ${found.slice(0, 200)}`);
        });
      }
    }
    const partner = await partnerOn(host, `${server}/100/calls`);
    return { discover, call: await repeated(CALLS, partner) };
  } finally {
    await host.stop();
    await data.remove();
  }
}

/** A partner in its turn, who calls the first tool of a server over the connection that all share. */
async function partnerOn(host: Awaited<ReturnType<typeof startHost>>, url: string): Promise<() => Promise<unknown>> {
  const serverId = await addServer(host, "calls", { type: "http", url });
  await host.call("servers.discover", { id: serverId });
  const { id: partnerId } = await host.call<{ id: string }>("partners.create", { name: "Bench" });
  await host.call("partners.setEnabled", { partnerId, enabled: true });
  await host.call("partners.grant", { partnerId, serverId, scope: "all" });
  const { sessionId } = await host.call<{ sessionId: string }>("partners.openSession", { kind: "partner", partnerId });
  const turn = await host.call<{ tools: { alias: string }[] }>("partners.turn", { sessionId });
  const alias = turn.tools[0]?.alias;
  return async () => {
    const argumentsJson = '{"account_0":"a"}';
    const outcome = await host.call<{ kind: string }>("partners.call", { sessionId, alias, argumentsJson });
    if (outcome.kind !== "tool_result") throw new Error(`the call became ${outcome.kind}`);
  };
}

/** What Toolgate adds to a call, and how many it makes in a second. */
export interface Calls {
  /** The same request, sent by nothing but Node's HTTP client. */
  readonly bareRoundTrip: Times;
  /** A partner's call, on the shared connection. */
  readonly partnerCall: Times;
  /** A test call, which connects and closes again. */
  readonly testCall: Times;
  readonly partnerCallsPerSecond: Record<string, number>;
}

export async function calls(server: string): Promise<Calls> {
  const data = await newDataFolder();
  const host = await startHost(data.path);
  try {
    const call = await partnerOn(host, `${server}/100/calls`);
    const id = await addServer(host, "test calls", { type: "http", url: `${server}/100/test` });
    const { tools } = await host.call<{ tools: { nativeName: string }[] }>("servers.discover", { id });
    const nativeName = tools[0]?.nativeName ?? "";
    const params = { name: nativeName, arguments: { account_0: "a" } };
    const bare = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    return {
      bareRoundTrip: await repeated(CALLS, () => post(new URL(`${server}/100/bare`), bare)),
      partnerCall: await repeated(CALLS, call),
      testCall: await repeated(CALLS, () =>
        host.call("tools.testCall", { id, nativeName, argumentsJson: '{"account_0":"a"}' }),
      ),
      partnerCallsPerSecond: {
        "1 at a time": await perSecond(1000, 1, call),
        "16 at a time": await perSecond(3000, 16, call),
      },
    };
  } finally {
    await host.stop();
    await data.remove();
  }
}

/** Whole programs, from start to end: listing 512 tools of a server, and calling one. */
export async function commandLine(server: string): Promise<Record<string, Record<string, Times>>> {
  const where = places();
  const url = `${server}/512/mcp`;
  const tool = "list_account_0";
  const inspector = [`${where.PEERS}/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`];
  inspector.push("--cli", url, "--transport", "http");
  const program = async (command: string, args: readonly string[]): Promise<void> => {
    const { stdout } = await run(command, args, { maxBuffer: 64 << 20 });
    if (!stdout.includes(tool) && !stdout.includes("account_0")) throw new Error(`${command} answered: ${stdout}`);
  };
  const data = await newDataFolder();
  const { TOOLGATE } = where;
  const rpc = (method: string, params: unknown) => ["rpc", "--data-dir", data.path, method, JSON.stringify(params)];
  try {
    const { stdout } = await run(
      TOOLGATE,
      rpc("servers.create", { displayName: "cli", config: { type: "http", url } }),
    );
    const { id } = JSON.parse(stdout) as { id: string };
    await run(TOOLGATE, rpc("servers.setState", { id, state: "active" }));
    const list = rpc("servers.refresh", { id });
    const call = rpc("tools.testCall", { id, nativeName: tool, argumentsJson: '{"account_0":"a"}' });
    const alone = {
      list: await repeated(10, () => program(TOOLGATE, list)),
      call: await repeated(10, () => program(TOOLGATE, call)),
    };
    const host = await startHost(data.path);
    const running = {
      list: await repeated(10, () => program(TOOLGATE, list)),
      call: await repeated(10, () => program(TOOLGATE, call)),
    };
    await host.stop();
    return {
      "toolgate rpc, alone": alone,
      "toolgate rpc, with Toolgate running": running,
      "MCP Inspector --cli": await inspectorTimes(where, inspector, tool, program),
    };
  } finally {
    await data.remove();
  }
}

async function inspectorTimes(
  where: Places,
  inspector: readonly string[],
  tool: string,
  program: (command: string, args: readonly string[]) => Promise<void>,
): Promise<Record<string, Times>> {
  const call = ["--method", "tools/call", "--tool-name", tool, "--tool-arg", "account_0=a"];
  return {
    list: await repeated(5, () => program(where.NODE_22, [...inspector, "--method", "tools/list"])),
    call: await repeated(5, () => program(where.NODE_22, [...inspector, ...call])),
  };
}

/** Requests of the bridge in a second, over `POST /rpc`. */
export async function bridge(): Promise<Record<string, number>> {
  const data = await newDataFolder();
  const host = await startHost(data.path);
  try {
    return {
      "host.info, 1 at a time": await perSecond(2000, 1, () => host.call("host.info")),
      "host.info, 16 at a time": await perSecond(6000, 16, () => host.call("host.info")),
    };
  } finally {
    await host.stop();
    await data.remove();
  }
}
