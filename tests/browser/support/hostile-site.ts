// A web site that attacks Toolgate: pages at an origin of its own, and a record of everything that browsers sent there.

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

export interface HostileSite {
  readonly port: number;
  /** The headers of each request so far. */
  readonly received: IncomingHttpHeaders[];
  stop(): Promise<void>;
}

export async function startHostileSite(): Promise<HostileSite> {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers, url }, response) => {
    received.push(headers);
    const type = url === "/worker.js" ? "text/javascript" : "text/html";
    response.writeHead(200, { "Content-Type": type });
    response.end(type === "text/html" ? "<!doctype html><title>A hostile page</title><body>" : "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    port: address.port,
    received,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What an attack came to: what it was, and what the page got of it. */
export type Report = Record<string, string>;

/** What the attacks know of their victim. A real page would guess them. */
export interface Victim {
  readonly origin: string;
  /** Paths of files of the page. */
  readonly script: string;
  readonly style: string;
}

/**
 * Runs in the hostile page, and tries everything a page can do to another origin. Answers in words what each attempt came
 * to; `nothing` where it came to nothing that the page could use.
 */
export async function attack({ origin, script, style }: Victim): Promise<Report> {
  const PATIENCE_MS = 20_000;
  const report: Report = {};
  const create = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "servers.create",
    params: { displayName: "planted", config: { type: "stdio", command: "/bin/sh", args: [], env: {} } },
  });
  const given = async (attempt: () => Promise<string>): Promise<string> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<string>((resolve) => (timer = setTimeout(() => resolve("no end"), PATIENCE_MS)));
    try {
      return await Promise.race([attempt(), late]);
    } catch {
      return "nothing";
    } finally {
      clearTimeout(timer);
    }
  };
  const tries = async (name: string, attempt: () => Promise<string>): Promise<void> => {
    report[name] = await given(attempt);
  };

  const json = { "Content-Type": "application/json" };
  const read = async (path: string, init: RequestInit): Promise<string> => {
    const answer = await fetch(origin + path, { ...init, credentials: "include" });
    // An opaque answer has neither status nor text.
    return answer.type === "opaque" ? "nothing" : `${answer.status} ${await answer.text()}`;
  };
  for (const path of ["/", "/rpc", "/start.js", "/address", script]) await tries(`fetch ${path}`, () => read(path, {}));
  await tries("fetch POST", () => read("/rpc", { method: "POST", headers: json, body: create }));
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const init = { method: "POST", mode: "no-cors", headers: { "Content-Type": type }, body: create } as const;
    await tries(`fetch no-cors ${type}`, () => read("/rpc", init));
  }
  await tries("fetch no-cors GET", () => read("/", { mode: "no-cors" }));
  await tries("beacon", async () => {
    // Says no more than that it was sent.
    navigator.sendBeacon(`${origin}/rpc`, create);
    return "nothing";
  });

  const element = <Name extends "script" | "img" | "link" | "video" | "object">(
    name: Name,
    set: Partial<Record<string, string>>,
  ): Promise<string> =>
    new Promise((resolve) => {
      const made = document.createElement(name);
      made.onload = () => resolve("loaded");
      made.addEventListener("loadedmetadata", () => resolve("loaded"));
      made.onerror = () => resolve("nothing");
      for (const [attribute, value] of Object.entries(set)) made.setAttribute(attribute, value ?? "");
      document.body.append(made);
    });
  // In its own page the second would start the session anew.
  const scripts = [script, "/start.js", "/rpc", "/"].filter((path) => path === script || location.origin !== origin);
  for (const path of scripts) {
    await tries(`script ${path}`, () => element("script", { src: origin + path }));
  }
  await tries("module", () => element("script", { type: "module", src: origin + script }));
  await tries("style", () => element("link", { rel: "stylesheet", href: origin + style }));
  await tries("image", () => element("img", { src: `${origin}/` }));
  await tries("video", () => element("video", { src: `${origin}/`, preload: "metadata" }));

  const socket = (protocols: string[]): Promise<string> =>
    new Promise((resolve) => {
      const opened = new WebSocket(`${origin.replace("http", "ws")}/ws`, protocols);
      opened.onopen = () => resolve("open");
      opened.onclose = () => resolve("nothing");
    });
  const guess = "0".repeat(64);
  for (const protocols of [
    [],
    ["toolgate"],
    ["toolgate", `toolgate.bearer.${guess}`],
    ["toolgate", `toolgate.page.${guess}`],
  ]) {
    await tries(`socket ${protocols.join(" ")}`, () => socket(protocols));
  }
  await tries("event source", () => {
    const source = new EventSource(`${origin}/rpc`, { withCredentials: true });
    return new Promise((resolve) => {
      source.onopen = () => resolve("open");
      source.onerror = () => {
        source.close();
        resolve("nothing");
      };
    });
  });

  const form = (enctype: string, target: string): void => {
    const made = document.createElement("form");
    Object.assign(made, { method: "POST", action: `${origin}/rpc`, enctype, target });
    const field = document.createElement("input");
    // As text/plain, a name, an equals sign and a value are the whole message.
    field.name = create.slice(0, -1) + ',"x":"';
    field.value = '"}';
    made.append(field);
    document.body.append(made);
    made.submit();
  };
  const framed = (set: (frame: HTMLIFrameElement) => void, name: string): Promise<string> =>
    new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.name = name;
      frame.onload = () => {
        try {
          resolve(frame.contentDocument === null ? "nothing" : `read ${frame.contentDocument.body.innerHTML}`.trim());
        } catch {
          resolve("nothing");
        }
      };
      set(frame);
      document.body.append(frame);
    });
  await tries("frame", () => framed((frame) => (frame.src = `${origin}/`), "framed"));
  for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const name = `posted ${enctype}`;
    await tries(`form ${enctype}`, async () => {
      await framed((frame) => (frame.src = "about:blank"), name);
      const frame = document.querySelector<HTMLIFrameElement>(`iframe[name="${name}"]`);
      const loaded = new Promise<string>((resolve) => {
        frame?.addEventListener("load", () => {
          resolve(frame.contentDocument === null ? "nothing" : `read ${frame.contentDocument.body.innerHTML}`);
        });
      });
      form(enctype, name);
      return loaded;
    });
  }

  await tries("service worker of its origin", () =>
    navigator.serviceWorker.register(`${origin}/start.js`).then(() => "registered"),
  );
  await tries("service worker over it", () =>
    navigator.serviceWorker.register("/worker.js", { scope: `${origin}/` }).then(() => "registered"),
  );
  await tries("shared worker", () => {
    const worker = new SharedWorker(`${origin}/start.js`);
    return new Promise((resolve) => (worker.onerror = () => resolve("nothing")));
  });
  await tries("cookie", async () => (document.cookie.includes("toolgate_session") ? document.cookie : "nothing"));
  await tries("storage", async () => localStorage.getItem("toolgate.page") ?? "nothing");
  return report;
}
