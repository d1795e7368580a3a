// The odd servers of tests/kit, each started as a process of its own.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import { ended } from "./program.ts";

/** The program; `cargo xtask` says where Cargo put it. */
const KIT = process.env["TESTKIT"] ?? resolve(import.meta.dirname, "../../../target/debug/toolgate-testkit");

/** A server of the kit. */
export interface Odd {
  readonly name: string;
  readonly kind: string;
  readonly about: string;
  readonly shownBy: "list" | "call";
  /** Whether it is served over HTTP; if not, only as a child process. */
  readonly http: boolean;
}

/** Every server of the kit. */
export async function everyOdd(): Promise<Odd[]> {
  const { stdout } = await promisify(execFile)(KIT, ["--list"], { maxBuffer: 16 << 20 });
  return JSON.parse(stdout) as Odd[];
}

/** A connection to one. */
export interface Odder {
  readonly config: object;
  stop(): Promise<void>;
}

/** Starts one over HTTP; one that is a child process is started by who connects to it. */
export async function startOdd(odd: Odd): Promise<Odder> {
  if (!odd.http) {
    const config = { type: "stdio", command: KIT, args: [odd.name, "--stdio"], env: {}, protocolVersion: "auto" };
    return { config, stop: () => Promise.resolve() };
  }
  const child = spawn(KIT, [odd.name], { stdio: ["pipe", "pipe", "ignore"] });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    config: { type: "http", url, headers: {}, protocolVersion: "auto" },
    stop: () => ended(child, "SIGKILL"),
  };
}
