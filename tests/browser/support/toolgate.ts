// The product as a user runs it: the release binary with a data folder of its own.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import { start, type Program } from "./process.ts";

/** The program; `cargo xtask test` says where Cargo put it. */
export const BINARY = process.env["TOOLGATE"] ?? resolve(import.meta.dirname, "../../../target/release/toolgate");

export interface Toolgate extends Program {
  /** The address with its token, as the program prints it. */
  readonly address: string;
}

/** A data folder that is deleted after the test. */
export interface DataFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder that Toolgate has never used. */
export async function newDataFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), "toolgate-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A folder without a server, to which the page adds none: the recommended one was added and removed. */
export async function dataFolder(): Promise<DataFolder> {
  const data = await newDataFolder();
  const { result, error } = await rpc(data.path, "servers.offerRecommended", {});
  const { added } = (result ?? {}) as { added?: { id: string } };
  if (added === undefined) throw new Error(`no server was recommended: ${JSON.stringify(error)}`);
  await rpc(data.path, "servers.remove", { id: added.id });
  return data;
}

/** How it is started. */
export interface Serving {
  /** A free one where it is left out. */
  readonly port?: number;
  /** The origin of another page that may open the WebSocket. */
  readonly allowOrigin?: string;
  /** A further name, or name and port, under which it may be addressed. */
  readonly allowHost?: string;
}

/** Starts `toolgate serve` and waits for its address. */
export async function serve(data: string, { port = 0, allowOrigin, allowHost }: Serving = {}): Promise<Toolgate> {
  const args = ["serve", "--data-dir", data, "--port", String(port), "--no-open"];
  if (allowOrigin !== undefined) args.push("--allow-origin", allowOrigin);
  if (allowHost !== undefined) args.push("--allow-host", allowHost);
  const program = await start(BINARY, args, /^Toolgate: (http:\S+)$/);
  return { ...program, address: program.ready[1] ?? "" };
}

/** A `toolgate bridge` of its own: answers a message by the host's answer to it. */
export interface BridgeProgram {
  exchange(message: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts `toolgate bridge`, as an application does that has Toolgate as a child. */
export function startBridge(data: string): BridgeProgram {
  const child = spawn(BINARY, ["bridge", "--data-dir", data], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const waiting = new Map<unknown, (answer: string) => void>();
  const idOf = (message: string): unknown => (JSON.parse(message) as { id?: unknown }).id;
  createInterface({ input: child.stdout }).on("line", (line) => waiting.get(idOf(line))?.(line));
  return {
    exchange: (message) =>
      new Promise((resolve) => {
        waiting.set(idOf(message), resolve);
        child.stdin.write(`${message}\n`);
      }),
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

/** The answer of `toolgate rpc`: the exit code and what it printed, as JSON. */
export interface RpcAnswer {
  readonly code: number;
  readonly result: unknown;
  readonly error: unknown;
}

/** Runs `toolgate rpc METHOD PARAMS`. */
export async function rpc(data: string, method: string, params: unknown): Promise<RpcAnswer> {
  const args = ["rpc", "--data-dir", data, method, JSON.stringify(params)];
  const parse = (text: string): unknown => (text.trim() === "" ? undefined : JSON.parse(text));
  try {
    const { stdout } = await promisify(execFile)(BINARY, args, { maxBuffer: 64 << 20 });
    return { code: 0, result: parse(stdout), error: undefined };
  } catch (error) {
    const failed = error as { code?: number; stderr?: string };
    return { code: failed.code ?? -1, result: undefined, error: parse(failed.stderr ?? "") };
  }
}

/** The result of a method that must succeed. */
export async function ask<T>(data: string, method: string, params: unknown): Promise<T> {
  const answer = await rpc(data, method, params);
  assert.equal(answer.code, 0, `${method}: ${JSON.stringify(answer.error)}`);
  return answer.result as T;
}
