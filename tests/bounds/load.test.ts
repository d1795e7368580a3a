// Many at once, on a real process: pages, requests and servers. Each costs no more than docs/bounds.md says, and when they
// are gone nothing of them is left.

import assert from "node:assert/strict";
import { test } from "node:test";

import { KIB_A_PAGE, MIB_AFTER_REQUESTS, MIB_OF_SERVERS } from "./bounds.ts";
import { pages, requests, servers } from "./support/load.ts";
import { startMeasured, type Measured } from "./support/program.ts";

const NOTHING = { handles: 0, sockets: 0, processes: 0 };

async function measured(use: (toolgate: Measured) => Promise<void>): Promise<void> {
  const toolgate = await startMeasured();
  try {
    await use(toolgate);
    assert.doesNotMatch(toolgate.log(), /panicked|ERROR/);
  } finally {
    await toolgate.stop();
  }
}

test("a hundred pages are connected, and all hear of a change", () =>
  measured(async (toolgate) => {
    const { left, kibAPage } = await pages(toolgate);
    assert.deepEqual(left, NOTHING);
    assert.ok(kibAPage <= KIB_A_PAGE, `${kibAPage} KiB a page`);
  }));

test("ten thousand requests of the bridge leave nothing behind", () =>
  measured(async (toolgate) => {
    const { left, mibLeft } = await requests(toolgate);
    assert.deepEqual(left, NOTHING);
    assert.ok(mibLeft <= MIB_AFTER_REQUESTS, `${mibLeft} MiB left`);
  }));

test("fifty servers are discovered at once, programs among them, and nothing is left of them", () =>
  measured(async (toolgate) => {
    // That all of them answered, programs too, is asserted there.
    const { left, mib } = await servers(toolgate);
    assert.deepEqual(left, NOTHING);
    assert.ok(mib <= MIB_OF_SERVERS, `${mib} MiB`);
  }));
