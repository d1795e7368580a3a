// Which granted servers a search finds, and by what.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { PreviewedServer, PreviewedTool } from "../src/generated/types.ts";
import { findGrants } from "../src/screens/partners/find-grants.ts";

const tool = (nativeName: string, alias = `mcp__x__${nativeName}`): PreviewedTool => ({
  nativeName,
  alias,
  permission: "allow",
});
function server(displayName: string | undefined, ...tools: PreviewedTool[]): PreviewedServer {
  return {
    serverId: "00000000-0000-4000-8000-000000000000" as PreviewedServer["serverId"],
    scope: "all",
    ...(displayName !== undefined && { displayName }),
    tools,
    offTools: 0,
    diagnostics: [],
  };
}

const files = server("Files", tool("read"), tool("write"));
const mail = server("Mail", tool("read"), tool("send", "mcp__Mail__dispatch"));
const unread = server(undefined);
const all = [files, mail, unread];

test("without a search there are all, those that cannot be read too", () => {
  assert.deepEqual(
    findGrants(all, "  "),
    all.map((one) => ({ server: one })),
  );
});

test("a name is found in any case, and its tools are all of them", () => {
  assert.deepEqual(findGrants(all, " mAIl "), [{ server: mail }]);
});

test("a tool is found by its name or by what the model calls it, and says which", () => {
  assert.deepEqual(findGrants(all, "read"), [
    { server: files, byTools: [files.tools[0]] },
    { server: mail, byTools: [mail.tools[0]] },
  ]);
  assert.deepEqual(findGrants(all, "dispatch"), [{ server: mail, byTools: [mail.tools[1]] }]);
  assert.deepEqual(findGrants(all, "nothing"), []);
});
