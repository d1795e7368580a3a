// `cargo xtask bounds`: meets every odd server of the kit to its end, several Toolgates side by side, then many pages,
// requests and servers at once; writes docs/bounds.md, and fails where something cost more than is promised or was left.

import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";

import { problemsOf } from "./bounds.ts";
import { everyOdd, type Odd } from "./support/kit.ts";
import { pages, requests, servers } from "./support/load.ts";
import { measure, threadsGone, type Result } from "./support/measure.ts";
import { held } from "./support/process.ts";
import { startMeasured, type Measured } from "./support/program.ts";
import { document } from "./support/table.ts";

/** Most of the time is waited: for servers that never answer. */
const SIDE_BY_SIDE = 6;

const wanted = process.argv.slice(2);
const all = (await everyOdd()).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const queue = [...all];
const results: Result[] = [];
const problems: string[] = [];

async function withToolgate<Value>(use: (toolgate: Measured) => Promise<Value>): Promise<Value> {
  const toolgate = await startMeasured();
  try {
    const value = await use(toolgate);
    if (/panicked|ERROR/.test(toolgate.log())) problems.push(`it failed: ${toolgate.log()}`);
    return value;
  } finally {
    await toolgate.stop();
  }
}

async function work(toolgate: Measured): Promise<void> {
  // What is made once, such as the pools of the allocator, is made before.
  const good: Odd = { name: "good", kind: "good", about: "", shownBy: "call", http: true };
  for (const first of [good, { ...good, http: false }]) await measure(toolgate, first);
  const before = await held(toolgate.pid);
  for (let odd = queue.shift(); odd !== undefined; odd = queue.shift()) {
    const result = await measure(toolgate, odd);
    results.push(result);
    problems.push(...problemsOf(result));
    console.log(
      `${odd.name}: ${(result.milliseconds / 1000).toFixed(1)} s, ${(result.most.memory / 1024).toFixed(1)} MiB, ${queue.length} to go`,
    );
  }
  const threads = await threadsGone(toolgate.pid, before);
  if (threads > 0) problems.push(`${threads} threads are left`);
}

await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, queue.length) }, () => withToolgate(work)));
results.sort((one, other) => all.indexOf(one.odd) - all.indexOf(other.odd));
if (wanted.length === 0) {
  const load = {
    pages: await withToolgate(pages),
    requests: await withToolgate(requests),
    servers: await withToolgate(servers),
  };
  await writeFile(resolve(import.meta.dirname, "../../docs/bounds.md"), document(results, load));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
