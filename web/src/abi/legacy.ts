// Tools for Legacy chats (manager contract §8) on the bridge, for the application that shows the chat. Not a part of
// `api.mcp`: extensions get no such calls.

import { callOnce } from "./call-once";
import type { LegacyApi } from "./package";
import { randomHex } from "./random";
import { ask, type Bridge } from "./requests";

export function legacyApi(bridge: Bridge): LegacyApi {
  return {
    listTools: () => ask(bridge, "legacy.listTools", {}),
    call({ toolId, argumentsJson }, { signal } = {}) {
      const executionCallId = newUuid();
      return callOnce(
        {
          start: () => bridge.request("legacy.startCall", { executionCallId }),
          call: () => bridge.request("legacy.call", { executionCallId, toolId, argumentsJson }),
          cancel: () => bridge.request("legacy.cancel", { executionCallId }),
        },
        signal,
      );
    },
  };
}

/** A random UUID (version 4). */
function newUuid(): string {
  const hex = randomHex();
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20)].join(
    "-",
  );
}
