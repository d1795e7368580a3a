// Generated from core/ and native-host/ by `cargo xtask generate`. Do not edit.

export type Code =
  | "mcp.registration_id_invalid"
  | "mcp.registration_id_noncanonical"
  | "mcp.tool_id_invalid"
  | "mcp.tool_name_empty"
  | "mcp.tool_name_too_long"
  | "mcp.display_name_empty"
  | "mcp.display_name_too_long"
  | "mcp.endpoint_invalid"
  | "mcp.endpoint_absolute_required"
  | "mcp.endpoint_scheme_invalid"
  | "mcp.endpoint_fragment_forbidden"
  | "mcp.description_override_empty"
  | "mcp.server_limit"
  | "mcp.import_json_relaxed"
  | "mcp.discovery_list_failed"
  | "mcp.discovery_cursor_cycle"
  | "mcp.discovery_page_limit"
  | "mcp.discovery_tool_limit"
  | "mcp.discovery_catalog_size_limit"
  | "mcp.discovery_headers_invalid"
  | "mcp.tool_not_object"
  | "mcp.tool_name_invalid"
  | "mcp.tool_duplicate_name"
  | "mcp.tool_size_limit"
  | "mcp.tool_input_schema_invalid"
  | "mcp.tool_header_annotation_invalid"
  | "mcp.tool_output_schema_invalid"
  | "mcp.tool_annotations_invalid"
  | "mcp.tool_field_invalid"
  | "mcp.tool_schema_dialect_unknown"
  | "mcp.tool_schema_pattern_unreadable"
  | "mcp.tool_server_paused"
  | "mcp.tool_permission_off"
  | "mcp.tool_root_type_not_object"
  | "mcp.registration_not_found"
  | "mcp.server_paused"
  | "mcp.transport_unsupported"
  | "mcp.config_conflict"
  | "mcp.host_required"
  | "mcp.host_busy"
  | "mcp.catalog_persistence_failed"
  | "mcp.connection_dns"
  | "mcp.connection_connection_refused"
  | "mcp.connection_connection_reset"
  | "mcp.connection_timeout"
  | "mcp.connection_tls_certificate"
  | "mcp.connection_unauthorized"
  | "mcp.connection_forbidden"
  | "mcp.connection_not_found"
  | "mcp.connection_method_not_allowed"
  | "mcp.connection_rate_limited"
  | "mcp.connection_server_error"
  | "mcp.connection_redirect"
  | "mcp.connection_not_mcp"
  | "mcp.connection_legacy_sse"
  | "mcp.connection_protocol_version"
  | "mcp.connection_response_too_large"
  | "mcp.connection_malformed_response"
  | "mcp.connection_unsupported_encoding"
  | "mcp.connection_request_refused"
  | "mcp.connection_tools_capability_missing"
  | "mcp.bridge_parse_error"
  | "mcp.bridge_invalid_request"
  | "mcp.bridge_method_unknown"
  | "mcp.bridge_params_invalid"
  ;
export type ServerState = "active" | "paused";
export type TransportKind = "http" | "stdio";
export type Permission = "off" | "ask" | "allow";
export type ProtocolVersion = "auto" | "2026-07-28" | "2025-11-25" | "2025-06-18" | "2025-03-26";
export type RegistrationId = string;
export type Diagnostic = { code: Code; message: string; path?: string; line?: number; column?: number; nativeName?: string; registrationId?: RegistrationId };
export type Refusal = { others?: Array<Diagnostic> } & Diagnostic;
export type HttpConfig = { url: string; headers: Record<string, string>; protocolVersion: ProtocolVersion };
export type StdioConfig = { command: string; args: Array<string>; env: Record<string, string>; cwd?: string; protocolVersion: ProtocolVersion };
export type ServerConfig = ({ type: "http" } & HttpConfig) | ({ type: "stdio" } & StdioConfig);
export type DescriptionOverride = { description?: string; properties?: { [key in string]: string } };
export type ServerDraft = { displayName?: string; config: ServerConfig };
export type AddPreview = { server: ServerDraft | null; errors: Array<Diagnostic>; notes: Array<Diagnostic> };
export type StaleTool = { nativeName: string; permission: Permission };
export type StaleOverride = { nativeName: string; properties: Array<string> };
export type ToolView = { id: string; nativeName: string; title?: string; description?: string; inputSchemaJson: string; outputSchemaJson?: string; annotationsJson: string; permission: Permission; override?: DescriptionOverride; notModelReady: Array<Diagnostic> };
export type DiscoveryResult = { registrationId: RegistrationId; protocolVersion: string; serverName?: string; serverVersion?: string; tools: Array<ToolView>; diagnostics: Array<Diagnostic>; staleTools: Array<StaleTool>; staleOverrides: Array<StaleOverride> };
export type ListParams = { reveal?: boolean };
export type LastFailure = { code: Code; message: string; atMs: number };
export type StorageIssue = { fileName: string; registrationId?: RegistrationId; code: Code; message: string };
export type ServerSummary = { id: RegistrationId; displayName: string; transport: TransportKind; target: string; state: ServerState; protocolVersion: ProtocolVersion; toolPermissions: { [key in string]: Permission }; toolDescriptionOverrides: { [key in string]: DescriptionOverride }; toolCount?: number; lastFailure?: LastFailure; config?: ServerConfig };
export type ServerList = { servers: Array<ServerSummary>; storageIssues: Array<StorageIssue> };
export type CreateParams = { displayName: string; config: ServerConfig };
export type ReadConfigParams = { id: string; reveal?: boolean };
export type EditableConfig = { displayName: string; config: ServerConfig; revision: string };
export type SaveConfigParams = { id: string; displayName: string; config: ServerConfig; revision: string };
export type ServerParams = { id: string };
export type SetStateParams = { id: string; state: ServerState; revision?: string };
export type SetPermissionParams = { id: string; nativeName: string; permission: Permission };
export type SetPermissionsParams = { id: string; changes: { [key in string]: Permission } };
export type SetDescriptionOverrideParams = { id: string; nativeName: string; override: DescriptionOverride | null };
export type RemoveFileParams = { fileName: string };
export type HostInfo = { version: string; dataDir: string; transports: Array<TransportKind>; proxies: Array<string> };
export type ChangedArea = "servers" | "catalog" | "storage";
export type HostChanged = { area: ChangedArea; id?: RegistrationId };
