// What the methods of the manager API reject with: an `Error` with a stable code and, where one field is at fault, its
// path in the API's own names.

import { BridgeError, type Problem } from "../bridge/problem";
import type { Code } from "../generated/types";
import type { McpError } from "./tauritavern-mcp";

/** The request was refused, failed, or was lost with the connection. */
export class McpApiError extends Error implements McpError {
  override readonly name = "McpApiError";
  declare readonly path?: string;

  constructor(
    readonly code: Code,
    message: string,
    { path, cause }: { path?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    if (path !== undefined) this.path = path;
  }
}

/** An argument has not the shape the declaration gives it. Nothing was sent. */
export class McpInputError extends TypeError implements McpError {
  override readonly name = "McpInputError";
  readonly code: Code = "mcp.bridge_params_invalid";

  constructor(
    message: string,
    readonly path: string,
  ) {
    super(message);
  }
}

/** What the bridge threw, as an extension sees it. */
export function apiError(error: unknown): unknown {
  if (!(error instanceof BridgeError)) return error;
  const { code, message, path } = wordsFor(error.problem);
  return new McpApiError(code, message, { path: path === undefined ? undefined : fieldOf(path), cause: error.cause });
}

function wordsFor(problem: Problem): { code: Code; message: string; path?: string } {
  switch (problem.kind) {
    case "refused":
      return problem.refusal;
    case "offline":
      return { code: "mcp.host_required", message: "There is no connection to Toolgate; nothing was sent." };
    case "lost":
      return {
        code: "mcp.host_connection_lost",
        message:
          "The connection to Toolgate was lost before it answered; whether it did what was asked is not known. Look at " +
          "the present state before you ask again.",
      };
    case "broken":
      return { code: "mcp.bridge_internal_error", message: problem.message };
  }
}

/** The bridge's path to a field in the API's names; none for what the API has no field for. */
function fieldOf(path: string): string | undefined {
  if (path === "id") return "registrationId";
  if (path === "revision") return undefined;
  const member = path.startsWith("config.") ? path.slice("config.".length) : path;
  return member === "url" ? "endpoint" : member;
}
