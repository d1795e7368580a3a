// Child processes of a test: started, awaited by a line they print, ended by their id.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createServer } from "node:net";

/** How long a program may take until it prints the line that says it is ready, in milliseconds. */
const READY_MS = 30_000;

export interface Program {
  /** What the pattern matched in the line that said the program was ready. */
  readonly ready: RegExpMatchArray;
  /** The process's id. */
  readonly pid: number;
  /** Everything it printed so far, for messages. */
  output(): string;
  /** Asks it to end and waits until it has. Answers its exit code, or null where a signal ended it. */
  stop(): Promise<number | null>;
}

/** Starts a program and waits for a line, on either output, that matches the pattern. */
export async function start(
  command: string,
  args: readonly string[],
  ready: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const match = await new Promise<RegExpMatchArray>((resolve, reject) => {
    const timer = setTimeout(() => fail("did not become ready in time"), READY_MS);
    const fail = (why: string): void => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`${command} ${args.join(" ")} ${why}:\n${lines.join("\n")}`));
    };
    const read = (line: string): void => {
      lines.push(line);
      const found = line.match(ready);
      if (found !== null) {
        clearTimeout(timer);
        resolve(found);
      }
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", read);
    child.once("error", (error) => fail(error.message));
    void exited.then((code) => fail(`ended with ${code}`));
  });
  return { ready: match, pid: child.pid ?? 0, output: () => lines.join("\n"), stop: () => stop(child, exited) };
}

async function stop(child: ChildProcess, exited: Promise<number | null>): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
  return exited;
}

/** A port on loopback that nobody used a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  server.close();
  await once(server, "close");
  return address.port;
}
