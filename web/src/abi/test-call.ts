// One test call (manager contract §6), under an id of its own.

import type { CallOutcome, TestCallParams } from "../generated/types";
import { callOnce } from "./call-once";
import { randomHex } from "./random";
import type { Bridge } from "./requests";

export function testCall(
  bridge: Bridge,
  call: Omit<TestCallParams, "callId">,
  signal: AbortSignal | undefined,
): Promise<CallOutcome> {
  const callId = randomHex();
  return callOnce(
    {
      start: () => bridge.request("tools.startTestCall", { callId }),
      call: () => bridge.request("tools.testCall", { callId, ...call }),
      cancel: () => bridge.request("tools.cancelTestCall", { callId }),
    },
    signal,
  );
}
