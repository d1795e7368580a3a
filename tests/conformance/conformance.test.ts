// The official conformance suite, every scenario for clients of three protocol versions, with Toolgate as the client. A
// scenario that is listed as an expected failure and passes fails the test, as does one that is listed and unknown.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { before, describe, test } from "node:test";
import { promisify } from "node:util";

const HERE = import.meta.dirname;
const SUITE = join(HERE, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Node 22: `cargo xtask test conformance` says where it is. */
const NODE = process.env["NODE_22"] ?? "";
if (NODE === "") throw new Error("NODE_22 is not set; run this test by: cargo xtask test conformance");

/** Per protocol version the scenarios that fail, each with the reason. */
const expectedFailures = JSON.parse(await readFile(join(HERE, "expected-failures.json"), "utf8")) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** What one scenario came to. */
interface Verdict {
  readonly passed: boolean;
  /** What it came to in the suite's words, its checks, and what the driver said, for messages. */
  readonly details: string;
}

/** Runs the suite's program; it ends with 1 where a scenario failed, which is for us to judge. */
async function suite(args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(NODE, [SUITE, ...args], { maxBuffer: 64 << 20 })).stdout;
  } catch (error) {
    const { code, stdout = "" } = error as { code?: unknown; stdout?: string };
    if (code !== 1) throw error;
    return stdout;
  }
}

/** The names of all scenarios for clients of a protocol version. */
async function scenarios(version: string): Promise<readonly string[]> {
  const list = await suite(["list", "--client", "--spec-version", version]);
  return [...list.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name ?? "");
}

/** Runs all scenarios of a protocol version at once. */
async function run(version: string): Promise<ReadonlyMap<string, Verdict>> {
  const results = await mkdtemp(join(tmpdir(), "toolgate-conformance-"));
  try {
    const command = `"${NODE}" "${join(HERE, "driver.ts")}"`;
    const options = ["--suite", "all", "--spec-version", version, "--output-dir", results];
    const output = await suite(["client", "--command", command, ...options]);
    const verdicts = new Map<string, Verdict>();
    for (const [line, mark, name = ""] of output.matchAll(/^([✓✗]) (\S+): .*$/gm)) {
      const files = await resultFiles(results, name);
      // The suite judges what it saw; whether the driver got through, its last word says.
      const passed = mark === "✓" && /^done$/m.test(files["stdout.txt"] ?? "");
      const details = Object.entries(files).map(([file, text]) => `--- ${file}\n${text}`);
      verdicts.set(name, { passed, details: [line, ...details].join("\n") });
    }
    return verdicts;
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** What the suite wrote about a scenario: each file's text, in a folder of the scenario's name and the time. */
async function resultFiles(results: string, name: string): Promise<Readonly<Record<string, string>>> {
  const parent = join(results, dirname(name));
  const folder = (await readdir(parent)).find((found) => found.startsWith(`${basename(name)}-20`));
  if (folder === undefined) return {};
  const files = await readdir(join(parent, folder));
  const read = async (file: string): Promise<[string, string]> => [
    file,
    await readFile(join(parent, folder, file), "utf8"),
  ];
  return Object.fromEntries(await Promise.all(files.map(read)));
}

for (const version of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
  const expected = expectedFailures[version] ?? {};
  const names = await scenarios(version);

  describe(version, () => {
    let verdicts: ReadonlyMap<string, Verdict>;
    before(async () => void (verdicts = await run(version)));

    test("every scenario ran, and the expected failures are among them", () => {
      assert.deepEqual([...verdicts.keys()].sort(), [...names].sort());
      assert.deepEqual(
        Object.keys(expected).filter((name) => !names.includes(name)),
        [],
      );
    });
    for (const name of names) {
      test(name, () => {
        const verdict = verdicts.get(name);
        assert(verdict !== undefined, "it did not run");
        if (name in expected) assert(!verdict.passed, "it passes: take it out of expected-failures.json");
        else assert(verdict.passed, verdict.details);
      });
    }
  });
}
