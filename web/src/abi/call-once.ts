// One call of a tool: announced, handed over once, cancelled by a signal. What the connection to the host does meanwhile
// becomes one of the manager contract's outcomes (§6); a call is never handed over again. Which methods these are is the
// caller's: test-call.ts, legacy.ts.

import { BridgeError, type Problem } from "../bridge/problem";
import type { CallOutcome, Code } from "../generated/types";
import { apiError } from "./errors";

/** The three requests of a call, under the id that they share. */
export interface CallRequests {
  start(): Promise<unknown>;
  call(): Promise<CallOutcome>;
  cancel(): Promise<unknown>;
}

export async function callOnce(requests: CallRequests, signal: AbortSignal | undefined): Promise<CallOutcome> {
  if (signal?.aborted) return cancelledBeforeSend();
  try {
    // From the acknowledgement on the host knows the id, and a cancel finds the call whichever of them arrives first.
    await unlessAborted(requests.start(), signal);
  } catch (error) {
    return beforeCall(error);
  }
  if (signal?.aborted) return cancelledBeforeSend();

  const answer = requests.call();
  const cancel = (): void => {
    // The call's own answer says what came of it; where the host cannot be told, it says that.
    requests.cancel().catch(() => undefined);
  };
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return await answer;
  } catch (error) {
    return afterCall(error);
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/** Waits for the request, or until the signal is aborted. */
async function unlessAborted(request: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([request, aborted]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** The announcement failed: nothing was handed over, whether it arrived or not. */
function beforeCall(error: unknown): CallOutcome {
  const problem = problemIn(error);
  if (problem?.kind === "offline" || problem?.kind === "lost") return notConnected();
  throw apiError(error);
}

/** The call has no outcome of the host's. */
function afterCall(error: unknown): CallOutcome {
  const problem = problemIn(error);
  switch (problem?.kind) {
    case "offline":
      return notConnected();
    case "lost":
      return unknown(
        "The connection to Toolgate was lost before the outcome arrived; the call may have been carried out.",
      );
    case "broken":
      return unknown(`Toolgate's answer could not be read; the call may have been carried out. ${problem.message}`);
    case "refused": {
      const { code, message } = problem.refusal;
      if (code === "mcp.bridge_message_too_large") return notSent("mcp.call_arguments_size_limit", message);
      // Refused unread: the host had too many calls under way.
      if (code === "mcp.bridge_requests_limit") return notSent(code, message);
      if (code === "mcp.bridge_internal_error") return unknown(`${message} The call may have been carried out.`);
    }
  }
  throw apiError(error);
}

function problemIn(error: unknown): Problem | undefined {
  return error instanceof BridgeError ? error.problem : undefined;
}

function cancelledBeforeSend(): CallOutcome {
  return notSent("mcp.call_cancelled_before_send", "The call was cancelled before it was sent.");
}

function notConnected(): CallOutcome {
  return notSent("mcp.call_not_queued", "There is no connection to Toolgate; the call was not sent.");
}

function notSent(code: Code, message: string): CallOutcome {
  return { outcome: "not_sent", code, message };
}

function unknown(message: string): CallOutcome {
  return { outcome: "outcome_unknown", code: "mcp.call_response_failed", message };
}
