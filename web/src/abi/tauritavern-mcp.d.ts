// The manager API of `window.__TAURITAVERN__` as TypeScript: the manager contract's §2 and §3, word for word, and what an
// extension needs around them. What Toolgate does where the contract leaves it open is in docs/embedding.md.

export type TauriTavernMcpApi = {
  servers: {
    list(): Promise<{ servers: McpServer[]; storageIssues: McpStorageIssue[] }>;
    create(input: {
      displayName: string;
      endpoint: string;
      headers?: Record<string, string>;
      protocolVersion?: McpProtocolVersion;
    }): Promise<McpServer>;
    update(input: {
      registrationId: string;
      displayName: string;
      endpoint: string;
      headers: Record<string, string>;
      protocolVersion: McpProtocolVersion;
    }): Promise<McpServer>;
    setState(input: { registrationId: string; state: "active" | "paused" }): Promise<McpServer>;
    remove(input: string | { registrationId: string }): Promise<void>;
    discover(input: string | { registrationId: string }): Promise<McpDiscoveryResult>;
    refresh(input: string | { registrationId: string }): Promise<McpDiscoveryResult>;
  };
  tools: {
    setPermission(input: {
      registrationId: string;
      nativeName: string;
      permission: "off" | "ask" | "allow";
    }): Promise<McpServer>;
    setDescriptionOverride(input: {
      registrationId: string;
      nativeName: string;
      override: ToolDescriptionOverride | null;
    }): Promise<McpServer>;
    testCall(
      input: {
        registrationId: string;
        nativeName: string;
        argumentsJson: string;
      },
      options?: { signal?: AbortSignal },
    ): Promise<McpTestCallOutcome>;
  };
};

export type McpServer = {
  id: string; // canonical lowercase UUID
  displayName: string;
  endpoint: string; // normalized HTTP(S) URL
  headers: Record<string, string>;
  protocolVersion: McpProtocolVersion;
  state: "active" | "paused";
  toolPermissions: Record<string, "ask" | "allow">;
  toolDescriptionOverrides: Record<string, ToolDescriptionOverride>;
};

export type ToolDescriptionOverride = {
  description?: string;
  properties?: Record<string, string>;
};

export type McpProtocolVersion = "auto" | "2026-07-28" | "2025-11-25" | "2025-06-18" | "2025-03-26";

export type McpDiscoveryResult = {
  registrationId: string;
  protocolVersion: string;
  serverName?: string;
  serverVersion?: string;
  tools: Array<{
    id: string; // mcp/<registration-uuid>:<native-name>
    nativeName: string;
    title?: string;
    description?: string;
    inputSchema: object;
    outputSchema?: object;
    annotations: object; // untrusted hints only
    permission: "off" | "ask" | "allow";
  }>;
  diagnostics: Array<{
    code: string;
    nativeName?: string;
    message: string;
  }>;
  staleTools: Array<{
    nativeName: string;
    permission: "ask" | "allow";
  }>;
};

export type McpTestCallOutcome =
  | {
      outcome: "known_response";
      response:
        | {
            kind: "tool_result";
            isError: boolean;
            textBlocks: Array<{ index: number; text: string }>;
            structuredJson?: string;
            diagnostics: Array<{ code: string; message: string; contentIndex?: number }>;
          }
        | { kind: "server_error"; code: number; message: string; dataJson?: string }
        | { kind: "unsupported_response"; responseType: string; message: string };
    }
  | { outcome: "not_sent"; code: string; message: string }
  | { outcome: "outcome_unknown"; code: string; message: string };

/** A file of the data folder that could not be used; the healthy servers are listed all the same. */
export type McpStorageIssue = {
  fileName: string;
  registrationId?: string; // where the file's name says one
  code: string;
  message: string;
};

/** What every method rejects with. Where an argument has the wrong shape it is a `TypeError`, too. */
export interface McpError extends Error {
  /** Stable; docs/codes.md lists them. */
  readonly code: string;
  /** The field at fault, such as `endpoint` or `headers.X-Key`, where it is about one. */
  readonly path?: string;
}

/** `window.__TAURITAVERN__`, as far as it is about MCP. */
export type TauriTavernHost = {
  /** Resolves once the methods reach their host. */
  ready: Promise<unknown>;
  api: { mcp: TauriTavernMcpApi };
};

declare global {
  interface Window {
    __TAURITAVERN__: TauriTavernHost;
    /** Of older hosts, which had no `ready`. */
    __TAURITAVERN_MAIN_READY__?: Promise<unknown>;
  }
}
