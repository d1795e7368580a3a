// The product as a user runs it: the release binary with a data folder of its own.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { start, type Program } from "./process.ts";

/** `cargo xtask test` says where Cargo put it. */
const BINARY = process.env["TOOLGATE"] ?? resolve(import.meta.dirname, "../../../target/release/toolgate");

export interface Toolgate extends Program {
  /** The address with its token, as the program prints it. */
  readonly address: string;
}

/** A data folder that is deleted after the test. */
export async function dataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "toolgate-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Starts `toolgate serve` on a free port and waits for its address. */
export async function serve(data: string): Promise<Toolgate> {
  const args = ["serve", "--data-dir", data, "--port", "0", "--no-open"];
  const program = await start(BINARY, args, /^Toolgate: (http:\S+)$/);
  return { ...program, address: program.ready[1] ?? "" };
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
