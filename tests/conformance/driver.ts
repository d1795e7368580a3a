// The client that the official conformance suite tests: Toolgate, as an application that started it would use it. The
// suite gives the server's URL as the last argument and the rest in its variables; Node 22 runs this file as it is.
//
// A server is added, activated and its tools are read; then the scenario's calls are made. The last word is `done`; where
// something does not come to an answer of the server, it is why, and the exit code is 1.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Tool {
  readonly nativeName: string;
  /** The schema as JSON text. */
  readonly inputSchemaJson: string;
}

interface Call {
  readonly name: string;
  /** The arguments as JSON text. */
  readonly arguments: string;
}

/** What the suite says of a scenario, where it says more than its name. */
interface Context {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** The calls of each scenario that wants any. */
const CALLS: Readonly<Record<string, (tools: readonly Tool[], context: Context) => readonly Call[]>> = {
  tools_call: () => [{ name: "add_numbers", arguments: '{"a":5,"b":3}' }],
  "sse-retry": every,
  "elicitation-sep1034-client-defaults": every,
  "sep-2322-client-request-state": every,
  "http-standard-headers": every,
  "http-invalid-tool-headers": every,
  "http-custom-headers": (_, { toolCalls = [] }) =>
    toolCalls.map((call) => ({ name: call.name, arguments: JSON.stringify(call.arguments) })),
  "json-schema-2020-12-preservation": (tools) => {
    const schema = tools.find((tool) => tool.nativeName === "json_schema_2020_12_tool")?.inputSchemaJson;
    return [{ name: "json_schema_echo", arguments: `{"schema":${schema}}` }];
  },
};

/**
 * A call without an answer after this time is given up. The server of the scenario about elicitation asks on the stream
 * that a client may open beside its requests: where that is not yet open, the question is lost and the call never answered.
 */
const CALL_LIMIT_MS = 10_000;

/** Scenarios about the start alone: their servers offer no tools, which Toolgate must say and nothing else. */
const WITHOUT_TOOLS = ["initialize", "request-metadata"];

/** One call of each tool that is offered. */
function every(tools: readonly Tool[]): readonly Call[] {
  return tools.map((tool) => ({ name: tool.nativeName, arguments: "{}" }));
}

/** A request that failed, with what the host said and its code. */
class Refused extends Error {
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

const url = process.argv.at(-1) ?? "";
const scenario = variable("MCP_CONFORMANCE_SCENARIO");
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context;

const data = await mkdtemp(join(tmpdir(), "toolgate-conformance-"));
const toolgate = spawn(variable("TOOLGATE"), ["bridge", "--data-dir", data], { stdio: ["pipe", "pipe", "inherit"] });
const ended = once(toolgate, "exit");
const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
createInterface({ input: toolgate.stdout }).on("line", (line) => {
  const { id, result, error } = JSON.parse(line) as {
    id?: number;
    result?: unknown;
    error?: { data?: { code?: string } };
  };
  const request = id === undefined ? undefined : waiting.get(id);
  if (error === undefined) request?.resolve(result);
  else request?.reject(new Refused(JSON.stringify(error), error.data?.code));
});
void ended.then(() => {
  for (const { reject } of waiting.values()) reject(new Refused("Toolgate has ended"));
});

try {
  await use();
  console.log("done");
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(error.message);
  if (WITHOUT_TOOLS.includes(scenario) && error.code === "mcp.connection_tools_capability_missing") console.log("done");
  else process.exitCode = 1;
} finally {
  // The end of its input is what tells Toolgate to stop.
  toolgate.stdin.end();
  await ended;
  await rm(data, { recursive: true, force: true });
}

async function use(): Promise<void> {
  const protocolVersion = variable("MCP_CONFORMANCE_PROTOCOL_VERSION");
  const config = { type: "http", url, headers: {}, protocolVersion };
  const { id } = await ask<{ id: string }>("servers.create", { displayName: scenario, config });
  await ask("servers.setState", { id, state: "active" });
  const { tools } = await ask<{ tools: readonly Tool[] }>("servers.discover", { id });
  for (const [index, call] of (CALLS[scenario]?.(tools, context) ?? []).entries()) {
    await ask("tools.setPermission", { id, nativeName: call.name, permission: "allow" });
    const callId = `call-${index}`;
    await ask("tools.startTestCall", { callId });
    const limit = setTimeout(() => void ask("tools.cancelTestCall", { callId }), CALL_LIMIT_MS);
    const parameters = { callId, id, nativeName: call.name, argumentsJson: call.arguments };
    const outcome = await ask<{ outcome: string; response?: { kind: string } }>("tools.testCall", parameters);
    clearTimeout(limit);
    if (outcome.response?.kind !== "tool_result") throw new Refused(`${call.name}: ${JSON.stringify(outcome)}`);
  }
}

function ask<T>(method: string, params: unknown): Promise<T> {
  const id = waiting.size;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
  toolgate.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  return promise;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run this by: cargo xtask test conformance`);
  return value;
}
