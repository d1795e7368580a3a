// What the manager API rejects, in both kinds of pages: mistakes of shape, which are never sent, and what the host refuses.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { launch } from "./support/chromium.ts";
import { otherPage, ownPage, ready, rejection, type Path } from "./support/manager-api.ts";
import { startOtherSite, type OtherSite } from "./support/other-site.ts";
import { dataFolder, serve, type DataFolder, type Toolgate } from "./support/toolgate.ts";

let browser: Browser;
let site: OtherSite;
let data: DataFolder;
let toolgate: Toolgate;

before(async () => {
  [browser, site, data] = await Promise.all([launch(), startOtherSite(), dataFolder()]);
  toolgate = await serve(data.path, { allowOrigin: site.origin });
});

after(async () => {
  await browser?.close();
  await toolgate?.stop();
  await site?.stop();
  await data?.remove();
});

const UNKNOWN = "11111111-1111-4111-8111-111111111111";

/** Method, arguments, the path named. Each is a mistake of shape. */
const WRONG: readonly (readonly [Path, string, string])[] = [
  ["servers.create", "", "input"],
  ["servers.create", "{displayName: 7, endpoint: 'http://a'}", "displayName"],
  ["servers.create", "{displayName: 'a', endpoint: 'http://a', headers: new Headers({a: 'b'})}", "headers"],
  ["servers.create", "{displayName: 'a', endpoint: 'http://a', headers: {'X-Key': 1}}", "headers.X-Key"],
  ["servers.create", "{displayName: 'a', endpoint: 'http://a', protocolVersion: 'newest'}", "protocolVersion"],
  ["servers.create", "{displayName: 'a', endpoint: 'http://a', state: 'active'}", "state"],
  [
    "servers.update",
    `{registrationId: '${UNKNOWN}', displayName: 'a', endpoint: 'http://a', headers: {}}`,
    "protocolVersion",
  ],
  ["servers.setState", `{registrationId: '${UNKNOWN}', state: 'on'}`, "state"],
  ["servers.remove", "undefined", "input"],
  ["servers.discover", "{id: 'x'}", "id"],
  ["servers.refresh", "[]", "input"],
  ["tools.setPermission", `{registrationId: '${UNKNOWN}', nativeName: 'echo', permission: 'yes'}`, "permission"],
  [
    "tools.setDescriptionOverride",
    `{registrationId: '${UNKNOWN}', nativeName: 'echo', override: undefined}`,
    "override",
  ],
  ["tools.setDescriptionOverride", `{registrationId: '${UNKNOWN}', nativeName: 'echo'}`, "override"],
  ["tools.testCall", `{registrationId: '${UNKNOWN}', nativeName: 'echo', argumentsJson: {}}`, "argumentsJson"],
  ["tools.testCall", `{registrationId: '${UNKNOWN}', nativeName: 'echo', argumentsJson: '{}'}, {signal: 1}`, "signal"],
];

/** Method, arguments, code and path. Each has the right shape, and is refused by the host. */
const REFUSED: readonly (readonly [Path, string, string, string | undefined])[] = [
  ["servers.create", "{displayName: '  ', endpoint: 'http://a'}", "mcp.display_name_empty", "displayName"],
  ["servers.create", "{displayName: 'a', endpoint: 'ftp://a'}", "mcp.endpoint_scheme_invalid", "endpoint"],
  ["servers.create", "{displayName: 'a', endpoint: 'http://a/#x'}", "mcp.endpoint_fragment_forbidden", "endpoint"],
  ["servers.setState", `{registrationId: '${UNKNOWN}', state: 'active'}`, "mcp.registration_not_found", undefined],
  ["servers.remove", "'not an id'", "mcp.registration_id_invalid", "registrationId"],
  ["servers.discover", `'${UNKNOWN}'`, "mcp.registration_not_found", undefined],
  [
    "tools.setDescriptionOverride",
    `{registrationId: '${UNKNOWN}', nativeName: 'echo', override: {}}`,
    "mcp.description_override_empty",
    "override",
  ],
  [
    "tools.setPermission",
    `{registrationId: '${UNKNOWN}', nativeName: '', permission: 'ask'}`,
    "mcp.tool_name_empty",
    "nativeName",
  ],
];

for (const [where, open] of [
  ["Toolgate's own page", () => ownPage(browser, toolgate.address)],
  ["a page of another site", () => otherPage(browser, toolgate.address, site)],
] as const) {
  describe(where, () => {
    let page: Page;

    before(async () => {
      page = await open();
      await ready(page);
    });
    after(() => page?.close());

    for (const [method, args, path] of WRONG) {
      test(`${method}(${args}) names ${path}`, async () => {
        const found = await rejection(page, method, args);
        assert.deepEqual(
          [found?.typeError, found?.code, found?.path],
          [true, "mcp.bridge_params_invalid", path],
          found?.message,
        );
        assert.ok(found?.message.startsWith(`${method}: `), found?.message);
      });
    }

    for (const [method, args, code, path] of REFUSED) {
      test(`${method}(${args}) is refused with ${code}`, async () => {
        const found = await rejection(page, method, args);
        assert.deepEqual([found?.typeError, found?.code, found?.path], [false, code, path], found?.message);
        assert.ok(found !== undefined && found.message.length > 10);
      });
    }
  });
}
