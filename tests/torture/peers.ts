// The odd servers of the test kit against other clients: the MCP Inspector's command line and a minimal client on the
// official Rust SDK. `cargo xtask torture` runs this; what each client made of each server goes to peers.json, in words
// that are short and the same in each run.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";

interface Listed {
  readonly name: string;
  readonly about: string;
  readonly shownBy: "list" | "call";
  readonly http: boolean;
}

interface Peers {
  clients: string[];
  results: Record<string, string[]>;
}

/** How a client is asked, given what a server is reached by: its endpoint, or its command. */
interface Client {
  readonly name: string;
  readonly command: (server: readonly string[], does: "list" | "call") => readonly string[];
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly error: string;
  readonly late: boolean;
  /** How many processes of the server were still there when the client had ended by itself. */
  readonly left: number;
}

/** After this a client hangs. Node takes seconds to start on a busy machine. */
const LIMIT_MS = 30_000;
/** So long after a client has ended, what it started is to have ended, too. */
const AFTERWARDS_MS = 1_000;
/** More of what a client prints is not kept. */
const MOST_CHARACTERS = 16 << 20;
/** More of them is not looked at. */
const READ_CHARACTERS = 4096;
/** As many characters of a client's own words are told. */
const TOLD_CHARACTERS = 100;

/** What stands for a client that was not tried with a server. */
const NOT_TRIED = "–";

/** Stands in a command for the file that a server's processes note themselves in. */
const PIDS = "{PIDS}";

const here = import.meta.dirname;
const kit = variable("KIT");
const home = await mkdtemp(join(tmpdir(), "toolgate-torture-"));
try {
  await main();
} finally {
  await rm(home, { recursive: true });
}

async function main(): Promise<void> {
  const clients = [await inspector(), await rmcp()];
  const listing: unknown = JSON.parse((await run([kit, "--list"])).out);
  const file = join(here, "peers.json");
  const peers = JSON.parse(await readFile(file, "utf8")) as Peers;
  const only = process.env["ONLY"] ?? "";
  const servers = (listing as Listed[]).filter((listed) => new RegExp(only, "u").test(listed.name));
  const results = new Map(Object.entries(peers.results));
  const tried = process.env["CLIENT"] ?? "";
  // Most of the time is spent on waiting.
  const next = servers[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const listed of next) {
      const before = results.get(listed.name) ?? [];
      const words = await Promise.all(
        clients.map((client, at) =>
          client.name.startsWith(tried) ? asked(client, listed) : (before[at] ?? NOT_TRIED),
        ),
      );
      results.set(listed.name, words);
      process.stderr.write(`${listed.name}: ${words.join(" | ")}\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(process.env["AT_ONCE"] ?? 2 * availableParallelism()) }, work));
  const order = (listing as Listed[]).map(({ name }) => [name, results.get(name) ?? []] as const);
  const rows = order
    .filter(([, words]) => words.length > 0)
    .map(([name, words]) => `    ${JSON.stringify(name)}: ${JSON.stringify(words)}`);
  const names = JSON.stringify(clients.map((client) => client.name));
  await writeFile(file, `{\n  "clients": ${names},\n  "results": {\n${rows.join(",\n")}\n  }\n}\n`);
}

/** The Inspector at the version of its lock file, on the Node beside it. */
async function inspector(): Promise<Client> {
  const packages = join(here, "../../bench/peers/node_modules");
  const { version } = JSON.parse(
    await readFile(join(packages, "@modelcontextprotocol/inspector/package.json"), "utf8"),
  ) as {
    version: string;
  };
  const node = join(packages, `node-${process.platform}-${process.arch}/bin/node`);
  const program = join(packages, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  return {
    name: `Inspector ${version} (@modelcontextprotocol/inspector, \`--cli\`)`,
    command: (server, does) => {
      const method =
        does === "list"
          ? ["--method", "tools/list"]
          : ["--tool-arg", "n=9007199254740993", "--tool-name", "first", "--method", "tools/call"];
      const [first = "", ...rest] = server;
      return rest.length === 0
        ? [node, program, "--cli", ...method, "--transport", "http", "--server-url", first]
        : [node, program, "--cli", "-e", `KIT_PIDS=${PIDS}`, ...method, ...server];
    },
  };
}

/** The minimal client at the version of its lock file. */
async function rmcp(): Promise<Client> {
  const lock = await readFile(join(here, "rmcp-client/Cargo.lock"), "utf8");
  const version = /name = "rmcp"\nversion = "([^"]+)"/u.exec(lock)?.[1] ?? "?";
  return {
    name: `rmcp ${version} (the official Rust SDK, \`list_all_tools\` and \`call_tool\` with its defaults)`,
    command: (server, does) => [variable("RMCP_CLIENT"), does, ...server],
  };
}

/** What a client makes of a server, in a few words. */
async function asked(client: Client, listed: Listed): Promise<string> {
  if (!listed.http) {
    return words(await run(client.command([kit, listed.name, "--stdio"], listed.shownBy)), listed);
  }
  const server = spawn(kit, [listed.name], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [url] = await lines(server.stdout);
    return words(await run(client.command([url ?? ""], listed.shownBy)), listed);
  } finally {
    // A server that is busy with what it sends is not to be waited for.
    server.kill("SIGKILL");
  }
}

function words(ended: Ended, listed: Listed): string {
  if (ended.late) {
    return `hangs (${LIMIT_MS / 1000} s)`;
  }
  const left = ended.left === 1 ? "a process" : `${ended.left} processes`;
  return `${answer(ended, listed)}${ended.left === 0 ? "" : `; leaves ${left} running`}`;
}

function answer(ended: Ended, listed: Listed): string {
  if (ended.signal !== null || (ended.code ?? 0) > 128) {
    return `crashes (${ended.signal ?? `exit code ${ended.code}`})`;
  }
  if (ended.code !== 0) {
    return `error: ${said(ended.error === "" ? ended.out : ended.error)}`;
  }
  return listed.shownBy === "list" ? tools(ended.out) : `result ${said(compact(ended.out))}`;
}

function tools(out: string): string {
  const printed: unknown = parsed(out);
  const list: unknown = Array.isArray(printed) ? printed : (printed as { tools?: unknown } | null)?.tools;
  if (!Array.isArray(list)) {
    return `prints ${said(out)}`;
  }
  const names = list.map((tool: { name?: unknown } | null) => said(String(tool?.name)));
  if (names.length === 0) {
    return "lists nothing";
  }
  return names.length > 8 ? `lists ${names.length} tools` : `lists ${names.join(", ")}`;
}

/** JSON in one line, with its numbers as they are printed. */
function compact(out: string): string {
  return out.replaceAll(/\n\s*/gu, "").trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The first words of a text between backticks, without what differs from run to run. */
function said(text: string): string {
  const line = text
    .slice(0, READ_CHARACTERS)
    .split("\n")
    .map((part) => part.trim())
    .find((part) => part !== "" && !part.startsWith("at "));
  const told = (failure(line ?? "") ?? line ?? "nothing")
    .replaceAll(/127\.0\.0\.1:\d+/gu, "127.0.0.1:PORT")
    // Of a longer error the beginning is enough.
    .replace(/^\{"error":\{"code":"[^"]*","message":"/u, "")
    // Names of types say nothing to a reader.
    .replaceAll(/ ?\[?\w+(::\w+)+(<[^\]]*>)?\]?/gu, "")
    .replaceAll(kit, "toolgate-testkit")
    .replaceAll(process.env["PATH"] ?? "/nowhere", "PATH")
    .replaceAll(home, "HOME")
    .replaceAll("`", "'")
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "\u{fffd}");
  return `\`${told.length > TOLD_CHARACTERS ? `${told.slice(0, TOLD_CHARACTERS)}…` : told}\``;
}

/** What an error of the Inspector says, which is JSON in one line. */
function failure(line: string): string | undefined {
  const { message, cause } = (parsed(line) as { error?: { message?: string; cause?: string } } | null)?.error ?? {};
  return cause === undefined ? message : `${message} (${cause})`;
}

/** Runs a command to its end, or until it hangs. Whatever it leaves running is counted, and ended. */
async function run(command: readonly string[]): Promise<Ended> {
  const own = await mkdtemp(join(home, "run-"));
  const pids = join(own, "pids");
  const [program = "", ...rest] = command.map((part) => part.replace(PIDS, pids));
  // In a group of its own, so that what it started ends with it.
  const env = { PATH: process.env["PATH"], HOME: home, NO_COLOR: "1", KIT_PIDS: pids };
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"], detached: true, env });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    killed(-(child.pid ?? 0));
  }, LIMIT_MS);
  const streams = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  // What it ends may take a moment.
  await later(AFTERWARDS_MS);
  const noted = await readFile(pids, "utf8").catch(() => "");
  const left = noted.split("\n").filter((pid) => pid !== "" && killed(Number(pid))).length;
  killed(-(child.pid ?? 0));
  const [out, error] = await streams;
  await rm(own, { recursive: true });
  return { code, signal, out, error, late, left };
}

/** Kills a process, or a group by a negative number; whether there was one. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = "";
  for await (const part of stream) {
    if (all.length < MOST_CHARACTERS) {
      all += String(part);
    }
  }
  return all;
}

/** The first line of a stream. */
async function lines(stream: NodeJS.ReadableStream): Promise<string[]> {
  let all = "";
  for await (const part of stream) {
    all += String(part);
    if (all.includes("\n")) {
      break;
    }
  }
  return all.split("\n");
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set; run \`cargo xtask torture\``);
  }
  return value;
}
