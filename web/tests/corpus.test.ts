// The page's modules as they are shipped, fed with the inputs of the fuzz targets: a function of core's answers or throws
// what JavaScript can catch, and never stops the module, which would be of no use from then on.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { before, test } from "node:test";

import * as core from "@toolgate/core";
import * as more from "@toolgate/core/schema";
import type { ServerConfig, ToolDescriptor } from "@toolgate/core/schema";

const CORPUS = new URL("../../tests/corpus/", import.meta.url);
const NAMES = ["alias", "catalog", "form", "import", "json", "legacy", "mask", "outcome", "page", "schema"];

before(async () => {
  const { resolve } = createRequire(import.meta.url);
  await core.default({ module_or_path: await readFile(resolve("@toolgate/core/core.wasm")) });
  await more.default({ module_or_path: await readFile(resolve("@toolgate/core/schema.wasm")) });
});

/** An input of `tests/corpus/`, as `tests/properties/src/corpus.rs` writes one, in its parts. */
function parts(line: string): string[] {
  const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", "\\": "\\" };
  const bytes = line.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/g, (_, code?: string, letter?: string) =>
    code === undefined ? (escapes[letter ?? ""] ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return bytes.split("\xff").map((part) => Buffer.from(part, "latin1").toString("utf8"));
}

/** A value as a caller of another language might pass it for one of a declared type. */
function given<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return text as T;
  }
}

/** Calls every function that core exports. */
function* calls(first: string, second: string, third: string): Generator<() => unknown> {
  const config = given<ServerConfig>(second);
  for (const module of [core, more]) {
    yield () => module.addOne(first);
    yield () => module.editOne(first, config);
    yield () => module.normalizeEndpoint(first);
    yield () => module.normalizeDisplayName(first);
    yield () => module.checkServer(first, config, [third], given<ServerConfig>(third));
    yield () => module.prettyJson(first);
  }
  yield () => more.importMany(first, [second], 49);
  yield () => more.checkArguments(first);
  yield () => more.readOutcome(second);
  yield () => more.previewTool(given<ToolDescriptor>(first), given(second));
  yield () => more.setAt(first, second, third);
  yield () => more.removeAt(first, second);
  yield () => more.placeOf(first, second);
  yield () => more.numberOrText(first);
  yield () => {
    const form = new more.ToolForm(first);
    try {
      form.read(second, { [third]: 1 });
      form.choose(second, {}, third, 1);
      form.check(second);
    } finally {
      form.free();
    }
  };
  yield () => {
    const root = new more.LegacyRoot([
      {
        toolId: "mcp/11111111-1111-4111-8111-111111111111:a",
        serverName: third,
        description: "",
        inputSchemaJson: "{}",
      },
    ]);
    try {
      root.beginRound(first, [second]);
      root.finalize(second);
      root.resolve(third);
      root.settle([third]);
      assert.equal(typeof root.hasEnded, "boolean");
    } finally {
      root.free();
    }
  };
}

for (const name of NAMES) {
  test(`no input of ${name} stops a module`, async () => {
    const lines = (await readFile(new URL(`${name}.txt`, CORPUS), "utf8")).split("\n").slice(0, -1);
    assert.ok(lines.length > 0);
    for (const line of lines) {
      const [first = "", second = "", third = ""] = parts(line);
      for (const call of calls(first, second, third)) {
        try {
          call();
        } catch (error) {
          assert.ok(!(error instanceof WebAssembly.RuntimeError), `${line}: ${String(error)}`);
          assert.match(String(error), /toolgate: /, line);
        }
      }
    }
  });
}
