// `api.mcp.tools` (manager contract §2) on the bridge; a test call's own course is in `test-call.ts`.

import type { Permission } from "../generated/types";
import { descriptionOverride, Fields, signalIn } from "./input";
import { ask, readServer, type Bridge } from "./requests";
import type { TauriTavernMcpApi } from "./tauritavern-mcp";
import { testCall } from "./test-call";

const PERMISSIONS = ["off", "ask", "allow"] as const satisfies readonly Permission[];

export function toolsApi(bridge: Bridge): TauriTavernMcpApi["tools"] {
  return {
    async setPermission(input: unknown) {
      const fields = Fields.of("tools.setPermission", "input", input, ["registrationId", "nativeName", "permission"]);
      const { id } = await ask(bridge, "tools.setPermission", {
        id: fields.string("registrationId"),
        nativeName: fields.string("nativeName"),
        permission: fields.oneOf("permission", PERMISSIONS),
      });
      return readServer(bridge, id);
    },

    async setDescriptionOverride(input: unknown) {
      const method = "tools.setDescriptionOverride";
      const fields = Fields.of(method, "input", input, ["registrationId", "nativeName", "override"]);
      const { id } = await ask(bridge, method, {
        id: fields.string("registrationId"),
        nativeName: fields.string("nativeName"),
        override: descriptionOverride(method, fields.value("override")),
      });
      return readServer(bridge, id);
    },

    async testCall(input: unknown, options?: unknown) {
      const method = "tools.testCall";
      const fields = Fields.of(method, "input", input, ["registrationId", "nativeName", "argumentsJson"]);
      const call = {
        id: fields.string("registrationId"),
        nativeName: fields.string("nativeName"),
        argumentsJson: fields.string("argumentsJson"),
      };
      return testCall(bridge, call, signalIn(method, options));
    },
  };
}
