// Debian's Chromium, driven by playwright-core.

import { chromium, type Browser, type BrowserContext } from "playwright-core";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Starts a headless browser, with further switches. `CHROMIUM` names another one than Debian's. */
export function launch(further: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...QUIET, ...further] });
}

/** The same with what it keeps in this folder, as a person's browser has it. */
export function launchWithProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { executablePath, args: QUIET });
}
