// The bridge as the manager API uses it: requests whose failures are the API's errors, and servers as they are after a
// change.

import type { BridgeClient } from "../bridge/client";
import type { MethodName, Params, Result } from "../bridge/methods";
import { server } from "./dto";
import { apiError, McpApiError } from "./errors";
import type { McpServer } from "./tauritavern-mcp";

/** What of the client is used. */
export type Bridge = Pick<BridgeClient, "request">;

export async function ask<M extends MethodName>(bridge: Bridge, method: M, params: Params<M>): Promise<Result<M>> {
  try {
    return await bridge.request(method, params);
  } catch (error) {
    throw apiError(error);
  }
}

/** A server with its endpoint and headers, which what a change answers leaves out; from one snapshot. */
export async function readServer(bridge: Bridge, id: string): Promise<McpServer> {
  const { servers } = await ask(bridge, "servers.list", { reveal: true });
  const found = servers.find((summary) => summary.id === id);
  if (found) return server(found);
  throw new McpApiError(
    "mcp.registration_not_found",
    "The change was made, but the server was removed, or its file damaged, before it could be read again.",
    { path: "registrationId" },
  );
}
