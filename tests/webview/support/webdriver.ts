// WebKit's own driver, as far as these tests need it: it starts the example and runs scripts in its page.

import { spawn } from "node:child_process";
import { once } from "node:events";

import { freePort } from "../../browser/support/process.ts";

/** How long a script, or the start of the driver, may take, in milliseconds. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 50;

export interface DrivenPage {
  /** Runs a function in the page and answers what it gives, or what its promise does. It takes and gives JSON. */
  evaluate<T, A extends readonly unknown[]>(run: (...args: A) => T | Promise<T>, ...args: A): Promise<T>;
  /** Waits until the page shows a text. */
  shows(text: string): Promise<void>;
  reload(): Promise<void>;
  /** Ends the driver, and the program with it if it still runs. */
  stop(): Promise<void>;
}

/** Starts a program that lets itself be driven. */
export async function drive(
  binary: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<DrivenPage> {
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", ["--host=127.0.0.1", `--port=${port}`], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(driver, "exit");
  const stop = async (): Promise<void> => {
    driver.kill();
    await exited;
  };
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const init: RequestInit = { method, signal: AbortSignal.timeout(PATIENCE_MS) };
    if (body !== undefined) init.body = JSON.stringify(body);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  try {
    await answers(() => ask("GET", "/status"));
    const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary, args } } };
    const { sessionId } = (await ask("POST", "/session", { capabilities })) as { sessionId: string };
    const session = `/session/${sessionId}`;
    await ask("POST", `${session}/timeouts`, { script: PATIENCE_MS });
    const evaluate: DrivenPage["evaluate"] = async (run, ...args) => {
      // The compiler of the tests marks the names of functions by a helper.
      const script = `const __name = (value) => value;
        const [args, done] = arguments;
        new Promise((resolve) => resolve((${String(run)})(...args))).then(
          (value) => done({ value }),
          (error) => done({ error: \`\${error}\` }),
        );`;
      const answer = await ask("POST", `${session}/execute/async`, { script, args: [args] });
      const { value, error } = answer as { value: never; error?: string };
      if (error !== undefined) throw new Error(error);
      return value;
    };
    return {
      evaluate,
      shows: (text) =>
        evaluate(
          (text) =>
            new Promise<void>((resolve) => {
              const look = (): void => {
                if (!document.body?.innerText.includes(text)) return;
                observer.disconnect();
                resolve();
              };
              const observer = new MutationObserver(look);
              observer.observe(document, { subtree: true, childList: true, characterData: true });
              look();
            }),
          text,
        ),
      reload: async () => {
        await ask("POST", `${session}/refresh`, {});
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until a request gets an answer. */
async function answers(request: () => Promise<unknown>): Promise<void> {
  const late = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await request();
      return;
    } catch (error) {
      if (Date.now() > late) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
}
