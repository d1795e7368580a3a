// A screen that nobody sees, and a person's hand on its windows.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Display {
  /** For `DISPLAY`. */
  readonly name: string;
  /** Asks the window of this title to close, as the button in its frame does; fails where there is none. */
  closeWindow(title: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an X server on a display that is free, and without a port. */
export async function startDisplay(): Promise<Display> {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const exited = once(server, "exit");
  const told = server.stdio[3];
  if (!told) throw new Error("Xvfb has no way to tell its display");
  const number = await Promise.race([
    once(told, "data").then(([bytes]) => String(bytes).trim()),
    exited.then(([code]) => Promise.reject(new Error(`Xvfb ended with ${code}`))),
  ]);
  const name = `:${number}`;
  return {
    name,
    closeWindow: async (title) => {
      // Debian's own Python has Debian's python3-xlib.
      const args = [join(import.meta.dirname, "close-window.py"), title];
      await promisify(execFile)("/usr/bin/python3", args, { env: { ...process.env, DISPLAY: name }, timeout: 30_000 });
    },
    stop: async () => {
      server.kill();
      await exited;
    },
  };
}
