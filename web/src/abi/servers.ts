// `api.mcp.servers` (manager contract §2) on the bridge. `list`, `create` and `update` are about HTTP servers; the methods
// that take an id work for every server.

import { BridgeError } from "../bridge/problem";
import type { ProtocolVersion, SaveConfigParams, ServerState, ServerSummary } from "../generated/types";
import { discovery, server, storageIssue } from "./dto";
import { apiError, McpApiError } from "./errors";
import { Fields, registrationId } from "./input";
import { ask, readServer, type Bridge } from "./requests";
import type { TauriTavernMcpApi } from "./tauritavern-mcp";

/** An update is repeated where somebody else saves between its reading and its saving; so often at most. */
const UPDATE_TRIES = 10;

const STATES = ["active", "paused"] as const satisfies readonly ServerState[];
const VERSIONS = [
  "auto",
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
] as const satisfies readonly ProtocolVersion[];

export function serversApi(bridge: Bridge): TauriTavernMcpApi["servers"] {
  return {
    async list() {
      const { servers, storageIssues } = await ask(bridge, "servers.list", { reveal: true });
      return {
        servers: servers.filter(({ transport }) => transport === "http").map(server),
        storageIssues: storageIssues.map(storageIssue),
      };
    },

    async create(input: unknown) {
      const known = ["displayName", "endpoint", "headers", "protocolVersion"] as const;
      const fields = Fields.of("servers.create", "input", input, known);
      const { id } = await ask(bridge, "servers.create", {
        displayName: fields.string("displayName"),
        config: {
          type: "http",
          url: fields.string("endpoint"),
          headers: fields.has("headers") ? fields.strings("headers") : {},
          protocolVersion: fields.has("protocolVersion") ? fields.oneOf("protocolVersion", VERSIONS) : "auto",
        },
      });
      return readServer(bridge, id);
    },

    async update(input: unknown) {
      const known = ["registrationId", "displayName", "endpoint", "headers", "protocolVersion"] as const;
      const fields = Fields.of("servers.update", "input", input, known);
      const { id } = await save(bridge, {
        id: fields.string("registrationId"),
        displayName: fields.string("displayName"),
        config: {
          type: "http",
          url: fields.string("endpoint"),
          headers: fields.strings("headers"),
          protocolVersion: fields.oneOf("protocolVersion", VERSIONS),
        },
      });
      return readServer(bridge, id);
    },

    async setState(input: unknown) {
      const fields = Fields.of("servers.setState", "input", input, ["registrationId", "state"]);
      const { id } = await ask(bridge, "servers.setState", {
        id: fields.string("registrationId"),
        state: fields.oneOf("state", STATES),
      });
      return readServer(bridge, id);
    },

    async remove(input: unknown) {
      await ask(bridge, "servers.remove", { id: registrationId("servers.remove", input) });
    },

    async discover(input: unknown) {
      return discovery(await ask(bridge, "servers.discover", { id: registrationId("servers.discover", input) }));
    },

    async refresh(input: unknown) {
      return discovery(await ask(bridge, "servers.refresh", { id: registrationId("servers.refresh", input) }));
    },
  };
}

/** Saves over whatever is there: the last writer wins. */
async function save(bridge: Bridge, update: Omit<SaveConfigParams, "revision">): Promise<ServerSummary> {
  for (let left = UPDATE_TRIES; ; left--) {
    const { config, revision } = await ask(bridge, "servers.readConfig", { id: update.id });
    if (config.type !== "http") {
      throw new McpApiError(
        "mcp.transport_unsupported",
        "servers.update: the server is a program that is started (stdio); only HTTP servers can be changed here.",
        { path: "registrationId" },
      );
    }
    try {
      return await bridge.request("servers.saveConfig", { ...update, revision });
    } catch (error) {
      if (left <= 1 || !isConflict(error)) throw apiError(error);
    }
  }
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof BridgeError &&
    error.problem.kind === "refused" &&
    error.problem.refusal.code === "mcp.config_conflict"
  );
}
