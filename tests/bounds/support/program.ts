// A running Toolgate that is asked by a program, on a connection of its own for each request, so that no handle of it
// stays with the one that measures.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";

import { BINARY, dataFolder } from "../../browser/support/toolgate.ts";

export interface Measured {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  /** What it wrote to standard error so far. */
  log(): string;
  /** Sends one request; answers its result, or throws the code of its error. */
  ask<Result>(method: string, params: unknown): Promise<Result>;
  stop(): Promise<void>;
}

/** An error of the bridge. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

/** Starts it on a data folder of its own. */
export async function startMeasured(): Promise<Measured> {
  const data = await dataFolder();
  const args = ["serve", "--data-dir", data.path, "--port", "0", "--no-open"];
  const child = spawn(BINARY, args, { stdio: ["ignore", "pipe", "pipe"] });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => log.push(line));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const address = new URL(line.replace("Toolgate: ", ""));
  const token = address.searchParams.get("token") ?? "";
  const port = Number(address.port);
  return {
    pid: child.pid ?? 0,
    port,
    token,
    log: () => log.join("\n"),
    ask: (method, params) => ask(port, token, method, params),
    stop: async () => {
      await ended(child, "SIGTERM");
      await data.remove();
    },
  };
}

/** Ends a child by its id, and waits until it has. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

function ask<Result>(port: number, token: string, method: string, params: unknown): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  };
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: "/rpc", method: "POST", headers, agent: false });
    asked.on("error", reject);
    asked.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (answer.statusCode !== 200) return reject(new Error(`${answer.statusCode}: ${text}`));
        const message = JSON.parse(text) as {
          result?: Result;
          error?: { message: string; data: { code: string } };
        };
        if (message.error === undefined) return resolve(message.result as Result);
        reject(new Refused(message.error.data.code, message.error.message));
      });
    });
    asked.end(body);
  });
}
