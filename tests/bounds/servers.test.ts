// A part of the kit's odd servers on a real process, each met and then paused in the middle of whatever it does: nothing of
// it is left, and it cost no more than docs/bounds.md says. `cargo xtask bounds` meets all of them, to their ends.

import assert from "node:assert/strict";
import { test } from "node:test";

import { problemsOf } from "./bounds.ts";
import { everyOdd, type Odd } from "./support/kit.ts";
import { measure, threadsGone } from "./support/measure.ts";
import { held } from "./support/process.ts";
import { startMeasured } from "./support/program.ts";

/** Of each kind so many, from its beginning to its end. */
const OF_A_KIND = 3;
/** How long a server has until it is paused, in milliseconds. */
const PATIENCE_MS = 400;

function aPart(all: readonly Odd[]): Odd[] {
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  return kinds
    .map((kind) => all.filter((odd) => odd.kind === kind))
    .flatMap((odds) =>
      Array.from({ length: OF_A_KIND }, (_, number) => Math.floor((number * (odds.length - 1)) / (OF_A_KIND - 1)))
        .filter((index, number, indexes) => indexes.indexOf(index) === number)
        .map((index) => odds[index])
        .filter((odd) => odd !== undefined),
    );
}

test("an odd server costs little, and leaves nothing", async () => {
  const odds = aPart(await everyOdd());
  assert.ok(odds.length > 30, `${odds.length} servers`);
  const toolgate = await startMeasured();
  try {
    const good = odds.find(({ kind }) => kind === "good");
    assert.ok(good);
    // What is made once, such as the pools of the allocator, is made before.
    for (const first of [good, { ...good, http: false }]) await measure(toolgate, first);
    const before = await held(toolgate.pid);
    for (const odd of odds) {
      assert.deepEqual(problemsOf(await measure(toolgate, odd, { pauseAfter: PATIENCE_MS })), []);
    }
    assert.equal(await threadsGone(toolgate.pid, before), 0, "threads that are left");
    assert.doesNotMatch(toolgate.log(), /panicked|ERROR/);
  } finally {
    await toolgate.stop();
  }
});
