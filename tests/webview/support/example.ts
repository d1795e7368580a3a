// The example as a person starts it, and as WebKit's driver does, each with a data folder of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { drive, type DrivenPage } from "./webdriver.ts";

/** `cargo xtask test` says where Cargo put it. */
const BINARY =
  process.env["WEBVIEW_EXAMPLE"] ?? resolve(import.meta.dirname, "../../../target/debug/toolgate-webview-example");

const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 20;

function environment(display: string, data: string): Record<string, string> {
  // No desktop of the person who runs the tests: no message bus, no theme, no accessibility service.
  return { DISPLAY: display, TOOLGATE_DATA_DIR: data, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" };
}

export interface Example {
  readonly pid: number;
  /** Its exit code, or null where a signal ended it. */
  readonly exited: Promise<number | null>;
  /** What it wrote to standard error. */
  said(): string;
  /** Ends it by a signal if it still runs. */
  kill(): void;
}

/** Starts it as a person does. */
export function startExample(display: string, data: string): Example {
  const child = spawn(BINARY, [], {
    env: { ...process.env, ...environment(display, data) },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  if (child.pid === undefined) throw new Error(`${BINARY} did not start`);
  return {
    pid: child.pid,
    exited: once(child, "exit").then(([code]) => code as number | null),
    said: () => said.join(""),
    kill: () => void (child.exitCode === null && child.kill("SIGKILL")),
  };
}

/** Starts it by WebKit's driver, and waits for its page. */
export function driveExample(display: string, data: string): Promise<DrivenPage> {
  return drive(BINARY, ["--automation"], environment(display, data));
}

/** The process that owns a data folder. */
export async function owner(data: string): Promise<number> {
  return (JSON.parse(await readFile(join(data, "host.json"), "utf8")) as { pid: number }).pid;
}

/** The names of the servers that are on disk, by their ids; none where there is no folder yet. */
export async function savedServers(data: string): Promise<Map<string, string>> {
  const folder = join(data, "_tauritavern/mcp/registrations");
  const files = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f-]{36}\.json$/.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const servers = texts.map((text) => JSON.parse(text) as { id: string; displayName: string });
  return new Map(servers.map(({ id, displayName }) => [id, displayName]));
}

/** Waits until something is so; fails where it does not come to be. */
export async function until(what: string, test: () => Promise<boolean>): Promise<void> {
  const late = Date.now() + PATIENCE_MS;
  while (!(await test())) {
    if (Date.now() > late) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
