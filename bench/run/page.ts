// The page in a browser: what is sent, when it can be used, and what 512 tools of a server cost it.

import type { Browser, CDPSession, Page } from "playwright-core";

import { dataFolder } from "../../tests/browser/support/toolgate.ts";
import { addServer, startHost } from "./host.ts";
import { times, type Times } from "./stats.ts";

const RUNS = 7;
const TOOLS = 512;

export interface PageNumbers {
  /** Bytes on the wire until the page can be used, by kind, headers included. */
  readonly transfer: Record<string, number>;
  /** From the request to the first server in the list, in a new browser context. */
  readonly usable: Times;
  /** From the click on a server to the first of its tools, and a frame. */
  readonly showTools: Times;
  /** From a key in the search field to the rows that are left, and a frame. */
  readonly filterTools: Times;
  /** Elements of the document with one server and nothing chosen, and with 512 tools shown. */
  readonly elements: { readonly usable: number; readonly tools: number };
  /** Mebibytes of JavaScript's heap after a collection, at the same moments. */
  readonly heapMiB: { readonly usable: number; readonly tools: number };
  /** Requests over the page's WebSocket. */
  readonly socketPerSecond: Record<string, number>;
}

export async function page(browser: Browser, server: string): Promise<PageNumbers> {
  const data = await dataFolder();
  const host = await startHost(data.path);
  try {
    const id = await addServer(host, "bench", { type: "http", url: `${server}/${TOOLS}/page` });
    await host.call("servers.refresh", { id });
    const usable: number[] = [];
    const showTools: number[] = [];
    const filterTools: number[] = [];
    let counts: Pick<PageNumbers, "transfer" | "elements" | "heapMiB" | "socketPerSecond"> | undefined;
    for (let run = -1; run < RUNS; run++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
      const tab = await context.newPage();
      const devtools = await context.newCDPSession(tab);
      const transfer = await watchTransfer(devtools);
      const began = performance.now();
      await tab.goto(host.address, { waitUntil: "commit" });
      await tab.getByText("bench", { exact: true }).first().waitFor();
      const usableMs = performance.now() - began;
      const before = { transfer: transfer(), elements: await elements(tab), heap: await heap(devtools) };
      const shown = await show(tab);
      const after = { elements: await elements(tab), heap: await heap(devtools) };
      const filtered = await filter(tab);
      if (run >= 0) {
        usable.push(usableMs);
        showTools.push(shown);
        filterTools.push(filtered);
      }
      if (run === RUNS - 1) {
        counts = {
          transfer: before.transfer,
          elements: { usable: before.elements, tools: after.elements },
          heapMiB: { usable: before.heap, tools: after.heap },
          socketPerSecond: await socket(tab),
        };
      }
      await context.close();
    }
    if (counts === undefined) throw new Error("the page was never measured");
    return { usable: times(usable), showTools: times(showTools), filterTools: times(filterTools), ...counts };
  } finally {
    await host.stop();
    await data.remove();
  }
}

/** Adds up what comes over the wire, by what it is for. */
async function watchTransfer(devtools: CDPSession): Promise<() => Record<string, number>> {
  const kinds = new Map<string, string>();
  const bytes: Record<string, number> = {};
  await devtools.send("Network.enable");
  devtools.on("Network.responseReceived", ({ requestId, type, response }) => {
    kinds.set(requestId, response.mimeType === "application/wasm" ? "wasm" : type.toLowerCase());
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? "other";
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength;
  });
  return () => ({ ...bytes });
}

/** Does something in the page and waits, there, until what it leads to is in the document and has been drawn. */
function until(tab: Page, act: string, done: string): Promise<number> {
  return tab.evaluate<number>(`new Promise((resolve, reject) => {
    const start = performance.now();
    const look = () => {
      if (${done}) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      else if (performance.now() - start > 10000) reject(new Error("nothing came"));
      else requestAnimationFrame(look);
    };
    ${act};
    look();
  })`);
}

async function show(tab: Page): Promise<number> {
  const ms = await until(
    tab,
    `[...document.querySelectorAll("*")].findLast((element) => element.children.length === 0 && element.textContent === "bench").click()`,
    `document.querySelector('[role="radiogroup"][aria-label="list_account_0"]')`,
  );
  await tab.getByRole("radiogroup", { name: "list_account_0" }).waitFor();
  return ms;
}

function filter(tab: Page): Promise<number> {
  return until(
    tab,
    `const field = document.querySelector('input[aria-label="Search tools"]');
     field.value = "copy_project_511";
     field.dispatchEvent(new InputEvent("input", { bubbles: true }))`,
    `document.querySelector('[role="radiogroup"][aria-label="copy_project_511"]') && !document.querySelector('[role="radiogroup"][aria-label="list_account_0"]')`,
  );
}

const elements = (tab: Page): Promise<number> => tab.evaluate(() => document.querySelectorAll("*").length);

async function heap(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.enable");
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return Number((usedSize / (1 << 20)).toFixed(1));
}

/** `host.info` over the page's own kind of connection. */
async function socket(tab: Page): Promise<Record<string, number>> {
  const rate = (atATime: number, total: number) =>
    tab.evaluate<number>(`new Promise((resolve, reject) => {
      const key = localStorage.getItem("toolgate.page");
      const socket = new WebSocket(new URL("/ws", location.href.replace("http", "ws")), ["toolgate", "toolgate.page." + key]);
      let sent = 0, answered = 0, start;
      const ask = () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: ++sent, method: "host.info", params: {} }));
      socket.onopen = () => { start = performance.now(); for (let one = 0; one < ${atATime}; one++) ask(); };
      socket.onerror = () => reject(new Error("no socket"));
      socket.onmessage = ({ data }) => {
        if (!("id" in JSON.parse(data))) return;
        if (++answered === ${total}) { resolve(Math.round(${total} / (performance.now() - start) * 1000)); socket.close(); }
        else if (sent < ${total}) ask();
      };
    })`);
  return { "1 at a time": await rate(1, 2000), "16 at a time": await rate(16, 6000) };
}
