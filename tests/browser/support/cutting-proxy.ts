// Stands between a browser and Toolgate, byte for byte, and cuts connections when a test says so.

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  /** Host and port, as `--allow-host` takes it. */
  readonly host: string;
  /** Where everything goes. */
  to(port: number): void;
  /** Cuts every connection that is open now, as a network does that is lost. */
  cut(): void;
  /** What passed from the browser to Toolgate so far. */
  readonly sent: string;
  stop(): Promise<void>;
}

/** Starts it at a free port of loopback. */
export async function startCuttingProxy(): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let target = 0;
  let sent = "";
  const server = createServer((browser) => {
    const toolgate = connect(target, "127.0.0.1");
    open.add(browser);
    browser.on("close", () => {
      open.delete(browser);
      toolgate.end();
    });
    // A connection that breaks off is what is tested.
    for (const socket of [browser, toolgate]) socket.on("error", () => {});
    toolgate.on("data", (bytes) => browser.write(bytes));
    toolgate.on("close", () => browser.destroy());
    browser.on("data", (bytes) => {
      sent += bytes.toString("latin1");
      toolgate.write(bytes);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    host: `127.0.0.1:${address.port}`,
    to: (port) => void (target = port),
    cut: () => open.forEach((socket) => socket.resetAndDestroy()),
    get sent() {
      return sent;
    },
    stop: async () => {
      open.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
}
