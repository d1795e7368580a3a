//! The catalogue of codes: every diagnostic, error and call outcome Toolgate can give has one of these, and no other.
//!
//! A code is stable: programs and translations depend on it. What a code means is the sentence beside it, which
//! `docs/codes.md` repeats.

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($variant:ident = $text:literal, $meaning:literal;)*) => {
        /// A stable code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        pub enum Code {
            $(#[doc = $meaning] #[serde(rename = $text)] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as it is written: `mcp.…`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// One sentence that says what the code means.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

codes! {
    // Identity (manager contract §3).
    RegistrationIdInvalid = "mcp.registration_id_invalid", "The registration id is not a version 4 UUID.";
    RegistrationIdNoncanonical = "mcp.registration_id_noncanonical", "The registration id is a UUID, but not written in lowercase with hyphens.";
    ToolIdInvalid = "mcp.tool_id_invalid", "The tool id is not of the form `mcp/<registration id>:<native name>`.";
    ToolNameEmpty = "mcp.tool_name_empty", "The tool's native name is empty.";
    ToolNameTooLong = "mcp.tool_name_too_long", "The tool's native name is longer than 256 UTF-8 bytes.";
    DisplayNameEmpty = "mcp.display_name_empty", "The display name holds nothing but white space.";
    DisplayNameTooLong = "mcp.display_name_too_long", "The display name is longer than 128 characters.";

    // Server configuration (manager contract §4, partner contract).
    EndpointInvalid = "mcp.endpoint_invalid", "The endpoint is not a URL.";
    EndpointAbsoluteRequired = "mcp.endpoint_absolute_required", "The endpoint is not an absolute URL with a host.";
    EndpointSchemeInvalid = "mcp.endpoint_scheme_invalid", "The endpoint's scheme is neither http nor https.";
    EndpointFragmentForbidden = "mcp.endpoint_fragment_forbidden", "The endpoint has a fragment, which is never sent to a server.";
    CommandEmpty = "mcp.command_empty", "The command is empty.";
    CommandTooLong = "mcp.command_too_long", "The command is longer than 1024 UTF-8 bytes.";
    ArgsLimit = "mcp.args_limit", "There are more than 100 arguments.";
    ArgTooLong = "mcp.arg_too_long", "An argument is longer than 8 KiB.";
    EnvLimit = "mcp.env_limit", "There are more than 64 environment variables.";
    EnvValueTooLong = "mcp.env_value_too_long", "The value of an environment variable is longer than 8 KiB.";
    CwdEmpty = "mcp.cwd_empty", "The working folder is an empty text.";
    CwdTooLong = "mcp.cwd_too_long", "The working folder is longer than 4096 UTF-8 bytes.";
    StdioNulForbidden = "mcp.stdio_nul_forbidden", "A text that a program is started with holds a NUL character, which none can.";
    EnvNameInvalid = "mcp.env_name_invalid", "The name of an environment variable is empty, or holds = or a NUL character.";
    DescriptionOverrideEmpty = "mcp.description_override_empty", "The description override changes nothing; null removes one.";
    ServerLimit = "mcp.server_limit", "There are as many servers as there may be.";

    // Import: the text is refused as a whole (manager contract §4, partner contract).
    ImportEmpty = "mcp.import_empty", "There is no JSON in the text.";
    ImportJsonInvalid = "mcp.import_json_invalid", "The text is not JSON.";
    ImportJsonTooDeep = "mcp.import_json_too_deep", "The JSON is nested deeper than 64 levels.";
    ImportJsonDuplicateKey = "mcp.import_json_duplicate_key", "An object of the JSON has a key twice.";
    ImportNotObject = "mcp.import_not_object", "The JSON is no object.";
    ImportServerMissing = "mcp.import_server_missing", "The JSON holds no server.";
    ImportSeveralServers = "mcp.import_several_servers", "The JSON holds more than the one server that can be added here.";
    ImportLimit = "mcp.import_limit", "The JSON holds more servers than can be imported at a time.";
    ImportMoreErrors = "mcp.import_more_errors", "There are more errors than are named.";
    ImportNameMissing = "mcp.import_name_missing", "A server of the import has no name.";
    ImportNameTaken = "mcp.import_name_taken", "There is a server of this name already.";
    ImportNameDoubled = "mcp.import_name_doubled", "Several servers of the import have the same name.";
    ImportServerNotObject = "mcp.import_server_not_object", "What stands in the place of a server is no object.";
    ImportFieldInvalid = "mcp.import_field_invalid", "A field of the server is not of the type it must have.";
    ImportFieldConflict = "mcp.import_field_conflict", "Two fields say the same thing.";
    ImportProtocolVersionUnknown = "mcp.import_protocol_version_unknown", "The protocol version is none that can be set.";
    ImportTransportMissing = "mcp.import_transport_missing", "The server has neither a url nor a command.";
    ImportTransportConflict = "mcp.import_transport_conflict", "The server's fields name both transports, url and command.";
    ImportTransportSse = "mcp.import_transport_sse", "The server is said to use the HTTP+SSE transport of 2024, which is not supported.";
    ImportTransportUnsupported = "mcp.import_transport_unsupported", "The server is said to use a transport that is not supported.";

    // Import: what was accepted, but not used or read differently.
    ImportJsonRelaxed = "mcp.import_json_relaxed", "The text is not strict JSON; comments, trailing commas, a byte order mark or a Markdown fence were passed over.";
    ImportFieldIgnored = "mcp.import_field_ignored", "A field was not used.";
    ImportStateIgnored = "mcp.import_state_ignored", "Whether the server is switched on was not read; everything is added paused.";
    ImportFieldRenamed = "mcp.import_field_renamed", "A field was read although another program spells it so.";

    // Masked editing (partner contract).
    MaskPlaceholderNew = "mcp.mask_placeholder_new", "A placeholder for a saved value stands in a new server, which has none.";
    MaskPlaceholderMoved = "mcp.mask_placeholder_moved", "A placeholder stands in another field than the one whose saved value it stands for.";
    MaskPlaceholderEmbedded = "mcp.mask_placeholder_embedded", "A placeholder stands inside a longer text.";
    MaskPlaceholderUnknown = "mcp.mask_placeholder_unknown", "A placeholder stands for a value that is not saved.";
    MaskPlaceholderRepeated = "mcp.mask_placeholder_repeated", "A placeholder for an argument stands more than once.";

    // Review: worth a second look, never refused (manager contract §4).
    ReviewHeaderUnsendable = "mcp.review_header_unsendable", "HTTP cannot carry this header.";
    ReviewHeaderNamesDifferByCase = "mcp.review_header_names_differ_by_case", "Two header names are the same to HTTP.";
    ReviewHeaderReserved = "mcp.review_header_reserved", "The transport sets this header itself.";
    ReviewPlainHttp = "mcp.review_plain_http", "The endpoint is plain http and not on this machine; what is sent can be read on the way.";
    ReviewUserinfo = "mcp.review_userinfo", "The endpoint holds a user name or password.";
    ReviewCommandLine = "mcp.review_command_line", "The command looks like a whole command line.";
    ReviewVariable = "mcp.review_variable", "A value looks like a variable that nothing fills in.";
    ReviewUnstartable = "mcp.review_unstartable", "No process can be given this value.";
    ReviewDisplayNameTaken = "mcp.review_display_name_taken", "Another server has the same name.";

    // Catalog: the whole discovery fails (manager contract §5).
    DiscoveryListFailed = "mcp.discovery_list_failed", "A tools/list answer has no tools array or a cursor that is no string.";
    DiscoveryCursorCycle = "mcp.discovery_cursor_cycle", "The server sent a cursor it had sent before.";
    DiscoveryPageLimit = "mcp.discovery_page_limit", "The tool list has more pages than the limit.";
    DiscoveryToolLimit = "mcp.discovery_tool_limit", "The tool list has more tools than the limit.";
    DiscoveryCatalogSizeLimit = "mcp.discovery_catalog_size_limit", "The tool list is larger than the limit.";
    DiscoveryHeadersInvalid = "mcp.discovery_headers_invalid", "A configured header cannot be sent.";

    // Catalog: one item is isolated (manager contract §5).
    ToolNotObject = "mcp.tool_not_object", "An item of the tool list is not an object.";
    ToolNameInvalid = "mcp.tool_name_invalid", "A tool has no usable name.";
    ToolDuplicateName = "mcp.tool_duplicate_name", "Several tools have the same name; none of them is offered.";
    ToolSizeLimit = "mcp.tool_size_limit", "A tool is larger than the limit.";
    ToolInputSchemaInvalid = "mcp.tool_input_schema_invalid", "A tool's input schema is no valid JSON Schema.";
    ToolHeaderAnnotationInvalid = "mcp.tool_header_annotation_invalid", "A tool's x-mcp-header annotations are invalid.";

    // Catalog: one item is mended, or worth a note.
    ToolOutputSchemaInvalid = "mcp.tool_output_schema_invalid", "A tool's output schema is no valid JSON Schema and was dropped.";
    ToolAnnotationsInvalid = "mcp.tool_annotations_invalid", "A tool's annotations are no object and were dropped.";
    ToolFieldInvalid = "mcp.tool_field_invalid", "A tool's title or description is no string and was dropped.";
    ToolSchemaDialectUnknown = "mcp.tool_schema_dialect_unknown", "A schema declares a dialect we do not know; it was read as 2020-12.";
    ToolSchemaPatternUnreadable = "mcp.tool_schema_pattern_unreadable", "A schema has a pattern that cannot be read here, or takes too much work; it is not checked.";

    // Projection: why a tool cannot go to a model.
    ToolServerPaused = "mcp.tool_server_paused", "The tool's server is paused.";
    ToolPermissionOff = "mcp.tool_permission_off", "The tool is off.";
    ToolRootTypeNotObject = "mcp.tool_root_type_not_object", "The root of the tool's input schema is not of type object.";

    // Host: requests that cannot be carried out.
    RegistrationNotFound = "mcp.registration_not_found", "There is no server with this id.";
    ServerPaused = "mcp.server_paused", "The server is paused.";
    TransportUnsupported = "mcp.transport_unsupported", "This host cannot use the server's transport.";
    ConfigConflict = "mcp.config_conflict", "The server was changed since it was read.";
    CallAlreadyDispatched = "mcp.call_already_dispatched", "A call with this id was asked for before; no call id is used twice.";
    HostRequired = "mcp.host_required", "The method needs a running host.";
    HostBusy = "mcp.host_busy", "Another program owns the data and takes no clients.";
    DiscoverySuperseded = "mcp.discovery_superseded", "The server was changed while its tools were being read; nothing of that was kept.";
    HostStopping = "mcp.host_stopping", "The host is shutting down and takes no more requests.";
    HostConnectionLost = "mcp.host_connection_lost", "The running host ended the connection before it answered; whether it did what was asked is not known.";
    HostRefused = "mcp.host_refused", "The running host refused the request before it looked at it.";
    DataDirectoryUnusable = "mcp.data_directory_unusable", "The data directory cannot be used.";

    // Host: files (manager contract §3 and §5).
    StorageFolderUnreadable = "mcp.storage_folder_unreadable", "The folder of the registrations cannot be read.";
    StorageUnreadable = "mcp.storage_unreadable", "A file cannot be read.";
    StorageInvalid = "mcp.storage_invalid", "A file is torn, or has not the form it must have.";
    StorageKindUnknown = "mcp.storage_kind_unknown", "A file holds a record of an unknown kind.";
    RegistrationSizeLimit = "mcp.registration_size_limit", "A server's file would be larger than the limit; nothing was changed.";
    StorageSchemaUnknown = "mcp.storage_schema_unknown", "A file holds a record of an unknown schema version.";
    StorageIdMismatch = "mcp.storage_id_mismatch", "The id in a file is not the one the file is named after.";
    StorageNameNoncanonical = "mcp.storage_name_noncanonical", "A file is named by a registration id that is not written in lowercase with hyphens.";
    StorageForeignFile = "mcp.storage_foreign_file", "A file among the registrations is none.";
    StorageIssueNotFound = "mcp.storage_issue_not_found", "The file is not in the present list of storage issues.";
    StorageWriteFailed = "mcp.storage_write_failed", "A file could not be written or removed.";
    StorageChangePending = "mcp.storage_change_pending", "A change of several files is decided, but could not be made in all of them yet.";
    StorageRegistrationMissing = "mcp.storage_registration_missing", "The file of a server is gone, and its connection is still kept apart.";
    StorageCredentialsMissing = "mcp.storage_credentials_missing", "The connection of a server is kept apart, and is not there.";
    StorageCredentialsUnreadable = "mcp.storage_credentials_unreadable", "The connection of a server is kept apart, in a file that cannot be used.";
    StorageKeyringUnavailable = "mcp.storage_keyring_unavailable", "The key of the credentials cannot be had from the system's keyring.";
    CatalogReadFailed = "mcp.catalog_read_failed", "The catalog file could not be read.";
    CatalogSchemaUnknown = "mcp.catalog_schema_unknown", "The catalog file is of a kind or version we do not know.";
    CatalogMismatch = "mcp.catalog_mismatch", "The catalog file belongs to another server or another endpoint.";
    CatalogDamaged = "mcp.catalog_damaged", "The catalog file holds something no discovery could have written.";
    CatalogPersistenceFailed = "mcp.catalog_persistence_failed", "The catalog could not be written; it is kept in memory only.";
    CatalogDiagnosticForeign = "mcp.catalog_diagnostic_foreign", "A saved catalog has a diagnostic with a code of another program.";

    // Host: connections.
    ConnectionDns = "mcp.connection_dns", "The server's host name could not be resolved.";
    ConnectionRefused = "mcp.connection_connection_refused", "Nothing listens at the server's address.";
    ConnectionReset = "mcp.connection_connection_reset", "The connection was closed in the middle.";
    ConnectionTimeout = "mcp.connection_timeout", "The server did not answer in time.";
    ConnectionTlsCertificate = "mcp.connection_tls_certificate", "The server's TLS certificate was not accepted.";
    ConnectionUnauthorized = "mcp.connection_unauthorized", "The server asks for credentials (HTTP 401).";
    ConnectionForbidden = "mcp.connection_forbidden", "The server refuses access (HTTP 403).";
    ConnectionNotFound = "mcp.connection_not_found", "There is nothing at the endpoint (HTTP 404).";
    ConnectionMethodNotAllowed = "mcp.connection_method_not_allowed", "The endpoint does not take POST requests (HTTP 405).";
    ConnectionRateLimited = "mcp.connection_rate_limited", "The server asks to try again later (HTTP 429).";
    ConnectionServerError = "mcp.connection_server_error", "The server failed.";
    ConnectionRedirect = "mcp.connection_redirect", "The endpoint redirects elsewhere; redirects are not followed.";
    ConnectionNotMcp = "mcp.connection_not_mcp", "The answer is not MCP.";
    ConnectionLegacySse = "mcp.connection_legacy_sse", "The server speaks only the HTTP+SSE transport of 2024.";
    ConnectionProtocolVersion = "mcp.connection_protocol_version", "There is no protocol version in common.";
    ConnectionResponseTooLarge = "mcp.connection_response_too_large", "The server's answer is larger than the limit.";
    ConnectionMalformedResponse = "mcp.connection_malformed_response", "The server's answer is not valid JSON-RPC.";
    ConnectionUnsupportedEncoding = "mcp.connection_unsupported_encoding", "The server's answer has a content encoding that was not offered.";
    ConnectionRequestRefused = "mcp.connection_request_refused", "The server refused the request.";
    ConnectionCommandMissing = "mcp.connection_command_missing", "The server's command was not found.";
    ConnectionCommandNotExecutable = "mcp.connection_command_not_executable", "The server's command could not be run.";
    ConnectionFolderMissing = "mcp.connection_folder_missing", "The folder the server should start in does not exist.";
    ConnectionDependencyMissing = "mcp.connection_dependency_missing", "Something that the server needs is not installed.";
    ConnectionHttpNotAllowed = "mcp.connection_http_not_allowed", "mcp-remote refuses plain http beyond this computer without --allow-http.";
    ConnectionNpmCacheBroken = "mcp.connection_npm_cache_broken", "npm's cache is damaged.";
    ConnectionExited = "mcp.connection_exited", "The server's process ended.";
    ConnectionHttpClientUnavailable = "mcp.connection_http_client_unavailable", "The HTTP client could not be set up.";
    ConnectionToolsCapabilityMissing = "mcp.connection_tools_capability_missing", "The server offers no tools.";

    // Calls: not sent, that is, the server cannot have seen the call (manager contract §6).
    CallCancelledBeforeSend = "mcp.call_cancelled_before_send", "The call was cancelled before it was sent.";
    CallNotStarted = "mcp.call_not_started", "The call was not announced before it was asked for, or its announcement has expired.";
    CallRegistrationInvalid = "mcp.call_registration_invalid", "The call names no server: the registration id is not valid.";
    CallToolNameInvalid = "mcp.call_tool_name_invalid", "The call names no tool: the tool's name is empty or too long.";
    CallArgumentsSizeLimit = "mcp.call_arguments_size_limit", "The call's arguments are larger than the limit.";
    CallArgumentsInvalidJson = "mcp.call_arguments_invalid_json", "The call's arguments are not JSON.";
    CallArgumentsNotObject = "mcp.call_arguments_not_object", "The call's arguments are JSON, but no object.";
    CallRegistrationNotFound = "mcp.call_registration_not_found", "The call's server does not exist.";
    CallRegistrationUnavailable = "mcp.call_registration_unavailable", "The call's server could not be read from the files, or was changed before the call was sent.";
    CallServerPaused = "mcp.call_server_paused", "The call's server is paused.";
    CallPermissionOff = "mcp.call_permission_off", "The call's tool is off.";
    CallHeadersInvalid = "mcp.call_headers_invalid", "A configured header cannot be sent.";
    CallHttpClientUnavailable = "mcp.call_http_client_unavailable", "The HTTP client could not be set up.";
    CallInitializeTimeout = "mcp.call_initialize_timeout", "The server was not ready for the call in time.";
    CallInitializeFailed = "mcp.call_initialize_failed", "The connection for the call could not be made.";
    CallToolsCapabilityMissing = "mcp.call_tools_capability_missing", "The server offers no tools.";
    CallMetadataTimeout = "mcp.call_metadata_timeout", "What the call's headers need was not read from the server in time.";
    CallMetadataFailed = "mcp.call_metadata_failed", "What the call's headers need could not be read from the server.";
    CallToolUnavailable = "mcp.call_tool_unavailable", "The server does not offer the tool any more.";
    CallNotQueued = "mcp.call_not_queued", "The connection ended before it took the call.";
    LegacyToolNotAdvertised = "mcp.legacy_tool_not_advertised", "The tool was not offered to the model in this round.";

    // Calls: the outcome is unknown; the call may have been carried out (manager contract §6).
    CallCancelled = "mcp.call_cancelled", "The call was cancelled while it was under way; it may have been carried out.";
    CallTimeout = "mcp.call_timeout", "The call was not answered in time; it may have been carried out.";
    CallResponseFailed = "mcp.call_response_failed", "No answer to the call could be read; it may have been carried out.";

    // Calls: what is not shown of an answer.
    CallContentUnsupported = "mcp.call_content_unsupported", "A part of the answer's content is not shown, or not as it came.";
    CallMetadataUnsupported = "mcp.call_metadata_unsupported", "Metadata of the answer is not shown.";
    CallResultFieldInvalid = "mcp.call_result_field_invalid", "A field of the answer is not of the type it must have.";

    // What models read: why a result is an error.
    ModelToolError = "mcp.model_tool_error", "The tool says that it failed.";
    ModelServerError = "mcp.model_server_error", "The server answered the call with an error.";
    ModelResponseUnsupported = "mcp.model_response_unsupported", "The server answered the call in a way that is not supported.";
    PartnerResultSizeLimit = "mcp.partner_result_size_limit", "The call was carried out, but its result is larger than a partner may read.";

    // What models are offered.
    DescriptionPropertyMissing = "mcp.description_property_missing", "A description is set for a property that the tool does not have.";
    ToolCatalogMissing = "mcp.tool_catalog_missing", "The tools of the server have not been read yet.";
    ToolNotInCatalog = "mcp.tool_not_in_catalog", "The server's catalog does not have the tool.";
    InlineCharLimitInvalid = "mcp.inline_char_limit_invalid", "The limit of a result's length is not a positive number.";
    ToolAllowedTwice = "mcp.tool_allowed_twice", "A profile allows the tool more than once; it counts once.";
    DescriptionToolMissing = "mcp.description_tool_missing", "A profile describes a tool that it does not allow.";
    LegacyToolsInvalid = "mcp.legacy_tools_invalid", "The tools of the request are no JSON array.";
    LegacyRootEnded = "mcp.legacy_root_ended", "A call's outcome is unknown, and the generation has ended with it.";

    // Partners (partner contract).
    PartnerIdInvalid = "mcp.partner_id_invalid", "The partner id is not a version 4 UUID in lowercase with hyphens.";
    PartnerNotFound = "mcp.partner_not_found", "There is no partner with this id.";
    PartnerLimit = "mcp.partner_limit", "There are as many partners as there may be.";
    PartnerSessionNotFound = "mcp.partner_session_not_found", "There is no such session: it was closed, was idle for too long, or the host was started again.";
    PartnerSessionLimit = "mcp.partner_session_limit", "There are as many open sessions as there may be.";
    PartnerMcpOff = "mcp.partner_mcp_off", "MCP is off for the partner.";
    PartnerToolLimit = "mcp.partner_tool_limit", "The server has more tools than can be offered to partners.";
    PartnerCatalogSizeLimit = "mcp.partner_catalog_size_limit", "The server's tools are larger than can be offered to partners.";
    PartnerToolNotOffered = "mcp.partner_tool_not_offered", "The tool is not among those the session is offered.";
    PartnerGrantWithdrawn = "mcp.partner_grant_withdrawn", "The partner is not granted the tool any more; the call was not sent.";
    PartnerToolChanged = "mcp.partner_tool_changed", "The tool or its server was changed since the turn began; the call was not sent.";
    PartnerTurnEnded = "mcp.partner_turn_ended", "The outcome of a call of this turn is unknown; the turn takes no more calls.";
    // Agents (manager contract §7).
    AgentInvocationNotFound = "mcp.agent_invocation_not_found", "There is no such invocation, or it has ended, or was not used for too long.";
    AgentInvocationEnded = "mcp.agent_invocation_ended", "A call's outcome is unknown, and the invocation has ended with it.";
    AgentInvocationLimit = "mcp.agent_invocation_limit", "There are as many open invocations as there may be.";
    AgentToolNotBound = "mcp.agent_tool_not_bound", "The name is none of the invocation's tools.";
    ResultFileNotFound = "mcp.result_file_not_found", "The path names no long result of the invocation.";
    ResultRangeInvalid = "mcp.result_range_invalid", "The lines that are asked for are none of the result.";

    // Bridge.
    BridgeParseError = "mcp.bridge_parse_error", "The message is not JSON.";
    BridgeInvalidRequest = "mcp.bridge_invalid_request", "The message is not a JSON-RPC 2.0 request.";
    BridgeMethodUnknown = "mcp.bridge_method_unknown", "There is no such method.";
    BridgeParamsInvalid = "mcp.bridge_params_invalid", "The parameters do not fit the method.";
    BridgeMessageTooLarge = "mcp.bridge_message_too_large", "The message is larger than the bridge takes.";
    BridgeRequestsLimit = "mcp.bridge_requests_limit", "As many requests wait for servers as may; this one was not carried out.";
    BridgeInternalError = "mcp.bridge_internal_error", "The host failed in a way it must not; its log says more.";
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}
