// The bridge's results as the contract's DTOs (manager contract §3). JSON text becomes objects here and nowhere else:
// the contract wants objects, whose numbers are JavaScript's.

import type { DiscoveryResult, Permission, ServerSummary, StorageIssue } from "../generated/types";
import type { McpDiscoveryResult, McpServer, McpStorageIssue } from "./tauritavern-mcp";

/**
 * A server of a list that was read with its secrets. A stdio server, which the contract does not know and `list` does
 * not show, has an empty endpoint.
 */
export function server(summary: ServerSummary): McpServer {
  const { id, displayName, config, protocolVersion, state, toolPermissions, toolDescriptionOverrides } = summary;
  const { url, headers } = config?.type === "http" ? config : { url: "", headers: {} };
  return {
    id,
    displayName,
    endpoint: url,
    headers,
    protocolVersion,
    state,
    toolPermissions: Object.fromEntries(Object.entries(toolPermissions).filter(isSet)),
    toolDescriptionOverrides,
  };
}

export function storageIssue({ fileName, registrationId, code, message }: StorageIssue): McpStorageIssue {
  return { fileName, ...(registrationId !== undefined && { registrationId }), code, message };
}

export function discovery(result: DiscoveryResult): McpDiscoveryResult {
  const { registrationId, protocolVersion, serverName, serverVersion, tools, diagnostics, staleTools } = result;
  return {
    registrationId,
    protocolVersion,
    ...(serverName !== undefined && { serverName }),
    ...(serverVersion !== undefined && { serverVersion }),
    tools: tools.map((tool) => ({
      id: tool.id,
      nativeName: tool.nativeName,
      ...(tool.title !== undefined && { title: tool.title }),
      ...(tool.description !== undefined && { description: tool.description }),
      inputSchema: object(tool.inputSchemaJson),
      ...(tool.outputSchemaJson !== undefined && { outputSchema: object(tool.outputSchemaJson) }),
      annotations: object(tool.annotationsJson),
      permission: tool.permission,
    })),
    diagnostics: diagnostics.map(({ code, nativeName, message }) => ({
      code,
      ...(nativeName !== undefined && { nativeName }),
      message,
    })),
    staleTools: staleTools.flatMap(({ nativeName, permission }) =>
      permission === "off" ? [] : [{ nativeName, permission }],
    ),
  };
}

function isSet(entry: [string, Permission]): entry is [string, "ask" | "allow"] {
  return entry[1] !== "off";
}

/** The host has checked that these texts are JSON objects. */
function object(json: string): object {
  return JSON.parse(json) as object;
}
