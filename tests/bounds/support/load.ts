// Many pages, requests and servers at once, measured.

import assert from "node:assert/strict";

import { PAGES, REQUESTS, SERVERS } from "../bounds.ts";
import { everyOdd, startOdd, type Odder } from "./kit.ts";
import { whatIsLeft, watching, type Result } from "./measure.ts";
import { openSocket, type PageSocket } from "./page-socket.ts";
import { forgetPeak, held, peakMemory } from "./process.ts";
import type { Measured } from "./program.ts";

type Left = Result["left"];

/** As many pages at once as are promised; each asks, and each hears of a change. */
export async function pages(toolgate: Measured): Promise<{ left: Left; kibAPage: number }> {
  await toolgate.ask("servers.list", {});
  const before = await held(toolgate.pid);
  const sockets: PageSocket[] = [];
  for (let count = 0; count < PAGES; count += 1) sockets.push(await openSocket(toolgate));
  const lists = await Promise.all(sockets.map((socket) => socket.ask("servers.list", {})));
  for (const { result } of lists) assert.ok(result);
  const heard = Promise.all(sockets.map((socket) => socket.changed()));
  const config = { type: "http", url: "http://127.0.0.1:1/mcp" };
  await toolgate.ask("servers.create", { displayName: "news", config });
  await heard;
  const most = await held(toolgate.pid);
  assert.ok(most.sockets - before.sockets >= PAGES);
  await Promise.all(sockets.map((socket) => socket.close()));
  return {
    left: await whatIsLeft(toolgate.pid, before),
    kibAPage: Math.max(0, Math.ceil((most.memory - before.memory) / PAGES)),
  };
}

/** Requests by one socket, a hundred at once, and some by POST, each on a connection of its own. */
export async function requests(toolgate: Measured): Promise<{ left: Left; mibLeft: number }> {
  const some = async (count: number): Promise<void> => {
    const socket = await openSocket(toolgate);
    const methods = ["servers.list", "host.info", "partners.list", "no.such", "servers.review"];
    for (let asked = 0; asked < count; asked += 100) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, number) => socket.ask(methods[number % methods.length] ?? "", {})),
      );
      assert.equal(answers.filter(({ result, error }) => result !== undefined || error !== undefined).length, 100);
    }
    await socket.close();
    for (let asked = 0; asked < count / 20; asked += 1) await toolgate.ask("servers.list", {});
  };
  // What is made once, such as the pools of the allocator, is made before.
  await some(REQUESTS / 10);
  const before = await held(toolgate.pid);
  await some(REQUESTS);
  const left = await whatIsLeft(toolgate.pid, before);
  const after = await held(toolgate.pid);
  return { left, mibLeft: Math.max(0, Math.ceil((after.memory - before.memory) / 1024)) };
}

/** As many servers as there may be, discovered at once: good ones, odd ones and programs by turns. */
export async function servers(toolgate: Measured): Promise<{ left: Left; mib: number; mostProcesses: number }> {
  const kit = new Map((await everyOdd()).map((odd) => [odd.name, odd]));
  const odd = (name: string) => {
    const found = kit.get(name);
    assert.ok(found, `the kit has no server ${name}`);
    return found;
  };
  // What comes of it is known; that all of it comes at once is what is tried.
  const names = ["good", "good", "program", "html", "refuses"];
  const started: Odder[] = [];
  try {
    const ids: string[] = [];
    for (let count = 0; count < SERVERS; count += 1) {
      const name = names[count % names.length] ?? "";
      const asProgram = name === "program";
      const server = await startOdd({ ...odd(asProgram || name === "refuses" ? "good" : name), http: !asProgram });
      started.push(server);
      // A server that has gone refuses the connection.
      if (name === "refuses") await server.stop();
      const { id } = await toolgate.ask<{ id: string }>("servers.create", {
        displayName: `server ${count}`,
        config: server.config,
      });
      await toolgate.ask("servers.setState", { id, state: "active" });
      ids.push(id);
    }
    const before = await held(toolgate.pid);
    await forgetPeak(toolgate.pid);
    const watch = watching(toolgate.pid);
    const discover = (id: string): Promise<boolean> =>
      toolgate.ask("servers.discover", { id }).then(
        () => true,
        () => false,
      );
    const came = await Promise.all(ids.map(discover));
    assert.equal(came.filter((good) => good).length, (SERVERS / names.length) * 3);
    const mib = Math.ceil(((await peakMemory(toolgate.pid)) - before.memory) / 1024);
    const most = await watch.end();
    return { left: await whatIsLeft(toolgate.pid, before), mib, mostProcesses: most.processes };
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}
