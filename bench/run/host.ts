// A running Toolgate, and how a program asks it: over `POST /rpc` with the token of its address, on connections that stay open.

import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";

import { serve, type Toolgate } from "../../tests/browser/support/toolgate.ts";

export interface Host extends Toolgate {
  /** One request of the bridge; an error of the bridge is thrown. */
  call<T>(method: string, params?: unknown): Promise<T>;
  /** The same, with the answer as the text it came as: what Node makes of it is not Toolgate's time. */
  answer(method: string, params?: unknown): Promise<string>;
}

const agent = new Agent({ keepAlive: true });

/** Sends JSON and answers the text that came back. */
export function post(url: URL, body: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: "POST", headers: { "content-type": "application/json", ...headers } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => resolve(Buffer.concat(parts).toString()));
        answer.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Starts `toolgate serve` on a folder. */
export async function startHost(data: string): Promise<Host> {
  const program = await serve(data);
  return { ...program, ...caller(program.address) };
}

/** Asks the Toolgate at an address with its token. */
export function caller(address: string): Pick<Host, "call" | "answer"> {
  const url = new URL("/rpc", address);
  const authorization = `Bearer ${new URL(address).searchParams.get("token")}`;
  const answer: Host["answer"] = (method, params = {}) =>
    post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), { authorization });
  const call: Host["call"] = async <T>(method: string, params?: unknown): Promise<T> => {
    const said = JSON.parse(await answer(method, params)) as { result: T; error?: { message: string } };
    if (said.error !== undefined) throw new Error(`${method}: ${said.error.message}`);
    return said.result;
  };
  return { call, answer };
}

/** A configuration as the bridge takes it. */
export type Config =
  | { readonly type: "http"; readonly url: string }
  | { readonly type: "stdio"; readonly command: string; readonly args: readonly string[] };

/** Adds an active server; answers its id. */
export async function addServer(host: Host, displayName: string, config: Config): Promise<string> {
  const { id } = await host.call<{ id: string }>("servers.create", { displayName, config });
  await host.call("servers.setState", { id, state: "active" });
  return id;
}

/** Mebibytes of memory that a process has, by what Linux says of it. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  return Number((kib / 1024).toFixed(1));
}
