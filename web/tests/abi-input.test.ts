// Wrong arguments: each is refused before anything is sent, with the field named and never its value.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createMcpApi } from "../src/abi/index.ts";
import { MemoryHost } from "./support/memory-host.ts";

const host = new MemoryHost();
const { mcp } = createMcpApi({ transport: host });
host.become("open");

type Method = (...args: unknown[]) => Promise<unknown>;
const methods: Record<string, Method> = {};
for (const [name, method] of Object.entries({ ...mcp.servers, ...mcp.tools })) methods[name] = method as Method;

const server = { registrationId: "i", displayName: "d", endpoint: "e", headers: {}, protocolVersion: "auto" };
const tool = { registrationId: "i", nativeName: "n" };
const call = { ...tool, argumentsJson: "{}" };

/** What it says is not in fields of its own, where it would be lost. */
class Inherited {
  get "X-Key"(): string {
    return "secret";
  }
}

/** Method, arguments, the path that must be named, a part of the message. */
const WRONG: readonly (readonly [string, readonly unknown[], string, RegExp?])[] = [
  ["create", [], "input", /must be an object; it is undefined/],
  ["create", [null], "input", /is null/],
  ["create", ["x"], "input"],
  ["create", [[]], "input", /is Array/],
  ["create", [{}], "displayName", /servers\.create: displayName must be a string; it is undefined/],
  ["create", [{ displayName: 1, endpoint: "e" }], "displayName", /is number/],
  ["create", [{ displayName: "d" }], "endpoint"],
  ["create", [{ displayName: "d", endpoint: new URL("http://secret.example") }], "endpoint", /is URL/],
  ["create", [{ displayName: "d", endpoint: "e", headers: null }], "headers", /is null/],
  ["create", [{ displayName: "d", endpoint: "e", headers: [["a", "b"]] }], "headers"],
  ["create", [{ displayName: "d", endpoint: "e", headers: new Headers({ a: "secret" }) }], "headers", /is Headers/],
  ["create", [{ displayName: "d", endpoint: "e", headers: new Map() }], "headers"],
  ["create", [{ displayName: "d", endpoint: "e", headers: new Inherited() }], "headers", /plain object of strings/],
  ["create", [{ displayName: "d", endpoint: "e", headers: Object.create({ a: "secret" }) }], "headers", /plain/],
  ["create", [{ displayName: "d", endpoint: "e", headers: { "X-Key": 7 } }], "headers.X-Key", /is number/],
  ["create", [{ displayName: "d", endpoint: "e", headers: { "a.b": undefined } }], 'headers["a.b"]'],
  ["create", [{ displayName: "d", endpoint: "e", protocolVersion: "2024-11-05" }], "protocolVersion", /"2025-03-26"/],
  ["create", [{ displayName: "d", endpoint: "e", protocolVersion: null }], "protocolVersion"],
  ["create", [{ displayName: "d", endpoint: "e", url: "e" }], "url", /there is no field url; there are displayName, /],
  ["create", [{ displayName: "half \ud83d", endpoint: "e" }], "displayName", /lone surrogate/],
  ["create", [{ displayName: "d", endpoint: "e", headers: { "\udc00": "v" } }], 'headers["\\udc00"]'],
  ["update", [{ ...server, headers: undefined }], "headers", /is undefined/],
  ["update", [{ ...server, protocolVersion: undefined }], "protocolVersion", /is undefined/],
  ["update", [{ ...server, registrationId: undefined }], "registrationId"],
  ["update", [{ ...server, state: "active" }], "state", /no field state/],
  ["setState", [{ registrationId: "i", state: "on" }], "state", /must be one of "active", "paused"/],
  ["setState", [{ registrationId: "i" }], "state"],
  ["setState", [{ state: "active" }], "registrationId"],
  ["setState", ["i", "active"], "input"],
  ...["remove", "discover", "refresh"].flatMap((method) => [
    [method, [], "input", /must be a registration id, or an object with registrationId; it is undefined/] as const,
    [method, [7], "input"] as const,
    [method, [{}], "registrationId"] as const,
    [method, [{ registrationId: 7 }], "registrationId"] as const,
    [method, [{ id: "i" }], "id"] as const,
    [method, [{ registrationId: "i", force: true }], "force"] as const,
    [method, [["i"]], "input"] as const,
  ]),
  ["setPermission", [{ ...tool, permission: "always" }], "permission", /"off", "ask", "allow"/],
  ["setPermission", [{ ...tool }], "permission"],
  ["setPermission", [{ registrationId: "i", permission: "off" }], "nativeName"],
  ["setPermission", [{ ...tool, permission: "off", all: true }], "all"],
  ["setDescriptionOverride", [{ ...tool }], "override", /or null to remove it; it is undefined/],
  ["setDescriptionOverride", [{ ...tool, override: undefined }], "override", /or null to remove it; it is undefined/],
  ["setDescriptionOverride", [{ ...tool, override: "text" }], "override"],
  ["setDescriptionOverride", [{ ...tool, override: [] }], "override"],
  ["setDescriptionOverride", [{ ...tool, override: { title: "t" } }], "override.title"],
  ["setDescriptionOverride", [{ ...tool, override: { description: null } }], "override.description"],
  ["setDescriptionOverride", [{ ...tool, override: { properties: "p" } }], "override.properties"],
  ["setDescriptionOverride", [{ ...tool, override: { properties: { a: 1 } } }], "override.properties.a"],
  ["setDescriptionOverride", [{ ...tool, override: { properties: new Inherited() } }], "override.properties", /plain/],
  ["testCall", [], "input"],
  ["testCall", [{ ...tool, argumentsJson: {} }], "argumentsJson", /must be a string; it is Object/],
  ["testCall", [{ ...tool }], "argumentsJson"],
  ["testCall", [{ ...call, callId: "c" }], "callId"],
  ["testCall", [{ ...call, argumentsJson: '{"a":"\ud800"}' }], "argumentsJson"],
  ["testCall", [call, null], "options"],
  ["testCall", [call, { signal: {} }], "signal", /must be an AbortSignal; it is Object/],
  ["testCall", [call, { signal: null }], "signal"],
  ["testCall", [call, { timeout: 1 }], "timeout"],
  ["testCall", [call, new AbortController().signal], "options"],
];

for (const [method, args, path, message] of WRONG) {
  test(`${method} refuses ${path}: ${JSON.stringify(args)}`, async () => {
    const refused = methods[method]?.(...args);
    assert.ok(refused instanceof Promise, "a mistake rejects; it is not thrown past the promise");
    await assert.rejects(refused, (error: unknown) => {
      assert.ok(error instanceof TypeError);
      const { code, path: named } = error as TypeError & { code: string; path: string };
      assert.deepEqual({ code, path: named }, { code: "mcp.bridge_params_invalid", path });
      assert.match(error.message, message ?? new RegExp(method));
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    assert.equal(host.sent.length, 0);
  });
}
