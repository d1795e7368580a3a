// Why a request did not give its result, as a value the page can show.

import type { Refusal } from "../generated/types";

/**
 * - `refused`: the host answered with an error of the domain; nothing is in doubt.
 * - `offline`: the request was never handed over, as there was no connection.
 * - `lost`: the connection broke after the request was sent; whether it was carried out is not known. Never resent.
 * - `broken`: the host answered something that is no answer of this bridge.
 */
export type Problem =
  { kind: "refused"; refusal: Refusal } | { kind: "offline" } | { kind: "lost" } | { kind: "broken"; message: string };

/** What the page shows of something that failed: a request, or the loading of one of its own parts. */
export type Failure = Problem | { kind: "unloaded" };

/** A request's rejection. */
export class BridgeError extends Error {
  constructor(
    readonly problem: Problem,
    options?: ErrorOptions,
  ) {
    super(problem.kind === "refused" ? `${problem.refusal.code}: ${problem.refusal.message}` : problem.kind, options);
    this.name = "BridgeError";
  }
}

/** What a caught value says, whoever threw it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof BridgeError) return error.problem;
  return { kind: "broken", message: error instanceof Error ? error.message : String(error) };
}
