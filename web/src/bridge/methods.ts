// The bridge's methods: what each takes and gives. The shapes themselves are generated from Rust.

import type {
  CreateParams,
  Diagnostic,
  DiscoveryResult,
  EditableConfig,
  HostInfo,
  ListParams,
  ReadConfigParams,
  RemoveFileParams,
  SaveConfigParams,
  ServerList,
  ServerParams,
  ServerSummary,
  SetDescriptionOverrideParams,
  SetPermissionParams,
  SetPermissionsParams,
  SetStateParams,
} from "../generated/types";

type Empty = Record<string, never>;

/** Method name to `[params, result]`. */
export interface Methods {
  "servers.list": [ListParams, ServerList];
  "servers.create": [CreateParams, ServerSummary];
  "servers.review": [CreateParams, Diagnostic[]];
  "servers.readConfig": [ReadConfigParams, EditableConfig];
  "servers.saveConfig": [SaveConfigParams, ServerSummary];
  "servers.setState": [SetStateParams, ServerSummary];
  "servers.remove": [ServerParams, null];
  "servers.discover": [ServerParams, DiscoveryResult];
  "servers.refresh": [ServerParams, DiscoveryResult];
  "storage.remove": [RemoveFileParams, null];
  "tools.setPermission": [SetPermissionParams, ServerSummary];
  "tools.setPermissions": [SetPermissionsParams, ServerSummary];
  "tools.setDescriptionOverride": [SetDescriptionOverrideParams, ServerSummary];
  "host.info": [Empty, HostInfo];
}

export type MethodName = keyof Methods;
export type Params<M extends MethodName> = Methods[M][0];
export type Result<M extends MethodName> = Methods[M][1];
