// What every code means, in English: what happened, and what to do next.

import type { CodeTexts } from ".";
import { callCodesEn } from "./call-codes.en";
import { partnerCodesEn } from "./partner-codes.en";
import { storageCodesEn } from "./storage-codes.en";

export const codesEn: CodeTexts = {
  ...callCodesEn,
  ...partnerCodesEn,
  ...storageCodesEn,
  "mcp.registration_id_invalid": ["The server id is not valid", "Open the server from the list instead."],
  "mcp.registration_id_noncanonical": [
    "The server id is not written in its usual form",
    "Open the server from the list instead.",
  ],
  "mcp.tool_id_invalid": ["The tool id is not valid", "Pick the tool from its server's list."],
  "mcp.tool_name_empty": ["The tool has no name", "Pick a tool from the list."],
  "mcp.tool_name_too_long": [
    "The tool's name is too long",
    "Tool names hold at most 256 bytes; nothing can be set for this one.",
  ],
  "mcp.display_name_empty": ["The name is missing", "Type a name you will recognise."],
  "mcp.display_name_too_long": ["The name is too long", "Use at most 128 characters."],
  "mcp.endpoint_invalid": ["This is not a web address", "Write it like https://example.com/mcp."],
  "mcp.endpoint_absolute_required": [
    "The address is not complete",
    "Write all of it, starting with https:// and the host.",
  ],
  "mcp.endpoint_scheme_invalid": [
    "The address is neither http nor https",
    "Use an endpoint that starts with https:// or http://.",
  ],
  "mcp.endpoint_fragment_forbidden": [
    "The address has a # part",
    "Remove the # and what follows it; it is never sent to a server.",
  ],
  "mcp.description_override_empty": ["The description changes nothing", "Write a description, or remove your own."],
  "mcp.server_limit": ["You have as many servers as Toolgate keeps", "Remove one you do not need, then try again."],
  "mcp.import_json_relaxed": [
    "This is not strict JSON, but it could be read",
    "Nothing to do. Comments, trailing commas or a code fence were passed over.",
  ],
  "mcp.discovery_list_failed": [
    "The server's list of tools is malformed",
    "Refresh again; if it stays, the server's maker has to repair it.",
  ],
  "mcp.discovery_cursor_cycle": [
    "The server's list of tools goes round in circles",
    "The server's maker has to repair its paging.",
  ],
  "mcp.discovery_page_limit": [
    "The server's list of tools has too many pages",
    "Ask the server for fewer tools, if it has a setting for that.",
  ],
  "mcp.discovery_tool_limit": [
    "The server has too many tools",
    "Ask the server for fewer tools, if it has a setting for that.",
  ],
  "mcp.discovery_catalog_size_limit": [
    "The server's list of tools is too large",
    "Ask the server for fewer tools, if it has a setting for that.",
  ],
  "mcp.discovery_headers_invalid": ["One of your headers cannot be sent", "Correct or remove that header."],
  "mcp.tool_not_object": ["An entry of the list is not a tool", "It is left out; the other tools work."],
  "mcp.tool_name_invalid": ["A tool has no usable name", "It is left out; the other tools work."],
  "mcp.tool_duplicate_name": [
    "Several tools have the same name",
    "None of them is offered, as it is not clear which one is meant. The server's maker has to repair it.",
  ],
  "mcp.tool_size_limit": ["A tool is too large", "It is left out; the other tools work."],
  "mcp.tool_input_schema_invalid": [
    "A tool's input is not described correctly",
    "It is left out; the server's maker has to repair its input schema.",
  ],
  "mcp.tool_header_annotation_invalid": [
    "A tool's header annotations are wrong",
    "It is left out; the server's maker has to repair them.",
  ],
  "mcp.tool_output_schema_invalid": [
    "A tool's output is not described correctly",
    "The tool works; only the description of its output was left out.",
  ],
  "mcp.tool_annotations_invalid": ["A tool's hints are malformed", "The tool works; only its hints were left out."],
  "mcp.tool_field_invalid": [
    "A tool's title or description is malformed",
    "The tool works; only that text was left out.",
  ],
  "mcp.tool_schema_dialect_unknown": [
    "A tool uses an unknown dialect of JSON Schema",
    "It was read as 2020-12; usually nothing to do.",
  ],
  "mcp.tool_schema_pattern_unreadable": [
    "A pattern in a tool's schema is not checked",
    "The tool works; values are not checked against that pattern.",
  ],
  "mcp.tool_server_paused": ["Its server is paused", "Activate the server."],
  "mcp.tool_permission_off": ["Set to Off", "Choose Ask or Allow."],
  "mcp.tool_root_type_not_object": [
    "Its input is not declared as an object",
    'Models need that; the server\'s maker has to add "type": "object" to the input schema.',
  ],
  "mcp.registration_not_found": ["This server no longer exists", "It was removed here or in another window."],
  "mcp.server_paused": ["The server is paused", "Activate it first."],
  "mcp.transport_unsupported": [
    "This Toolgate cannot use this kind of server",
    "It connects over HTTP only. Use the server's HTTP endpoint if it has one.",
  ],
  "mcp.config_conflict": ["The server was changed in the meantime", "Look at it as it is now, then do it again."],
  "mcp.call_already_dispatched": ["This call was already made", "Nothing to do; it is not made a second time."],
  "mcp.host_required": ["This needs a running Toolgate", "Start Toolgate, then try again."],
  "mcp.host_busy": ["Another program uses Toolgate's data", "Close that program, then try again."],
  "mcp.connection_dns": [
    "The host name was not found",
    "Check the endpoint for a typing mistake, and that you are online.",
  ],
  "mcp.connection_connection_refused": [
    "Nothing listens at this address",
    "Check that the server is running and that the port is right.",
  ],
  "mcp.connection_connection_reset": [
    "The server closed the connection",
    "Try again; if it stays, look at the server's own log.",
  ],
  "mcp.connection_timeout": [
    "The server did not answer in time",
    "Check that it is running and reachable, then try again.",
  ],
  "mcp.connection_http_client_unavailable": [
    "Toolgate's HTTP client could not be set up",
    "A proxy variable of its environment holds no address. Correct or unset it, then start Toolgate again.",
  ],
  "mcp.connection_tls_certificate": [
    "The server's certificate was not accepted",
    "Check the host name and the computer's date; a certificate of your own has to be trusted by the system.",
  ],
  "mcp.connection_unauthorized": [
    "The server asks for credentials",
    "Add the right Authorization header or token to the server.",
  ],
  "mcp.connection_forbidden": ["The server refuses you access", "Check that your token may use this server."],
  "mcp.connection_not_found": ["There is nothing at this endpoint", "Check the path; many servers use /mcp."],
  "mcp.connection_method_not_allowed": [
    "The endpoint does not take MCP requests",
    "Check the path; many servers use /mcp.",
  ],
  "mcp.connection_rate_limited": ["The server asks you to wait", "Try again in a while."],
  "mcp.connection_server_error": ["The server failed", "Try again later; if it stays, look at the server's own log."],
  "mcp.connection_redirect": [
    "The endpoint points elsewhere",
    "Toolgate does not follow it, so that your headers stay where you sent them. Use the final address.",
  ],
  "mcp.connection_not_mcp": [
    "This is not an MCP endpoint",
    "The answer is a web page or the like. Check the path; many servers use /mcp.",
  ],
  "mcp.connection_legacy_sse": [
    "The server speaks only the old SSE transport",
    "Look for its Streamable HTTP endpoint, often /mcp in place of /sse.",
  ],
  "mcp.connection_protocol_version": [
    "You and the server share no protocol version",
    "Set the protocol version to Automatic, or update the server.",
  ],
  "mcp.connection_response_too_large": [
    "The server's answer is too large",
    "Ask the server for fewer tools, if it has a setting for that.",
  ],
  "mcp.connection_malformed_response": ["The server's answer is malformed", "The server's maker has to repair it."],
  "mcp.connection_unsupported_encoding": [
    "The server sent a compressed answer that was not asked for",
    "The server, or a proxy before it, has to stop compressing.",
  ],
  "mcp.connection_request_refused": [
    "The server refused the request",
    "Look at the server's documentation for what it needs.",
  ],
  "mcp.connection_command_missing": [
    "The command was not found",
    "Check its spelling, and that it is installed where Toolgate runs. Its full path always finds it.",
  ],
  "mcp.connection_command_not_executable": [
    "The command could not be run",
    "Check that it is a program for this computer, and that its file may be executed.",
  ],
  "mcp.connection_folder_missing": [
    "The folder to start in does not exist",
    "Correct the server's folder (cwd), or make it.",
  ],
  "mcp.connection_dependency_missing": [
    "Something the server needs is not installed",
    "Install the package or program where Toolgate runs, and check the package's name in the arguments.",
  ],
  "mcp.connection_http_not_allowed": [
    "mcp-remote refuses an unencrypted address",
    "Use an https:// address; or, in a network you trust, add --allow-http to the arguments.",
  ],
  "mcp.connection_npm_cache_broken": [
    "npm's cache is damaged",
    "Repair it where Toolgate runs: npm cache verify, or remove the package's folder below _npx. The server need not be changed.",
  ],
  "mcp.connection_exited": [
    "The server's process ended",
    "Run its command in a terminal to see what it says; often an argument or a variable is missing.",
  ],
  "mcp.connection_tools_capability_missing": [
    "The server offers no tools",
    "There is nothing to decide here; it may offer resources or prompts only.",
  ],
  "mcp.bridge_parse_error": ["Toolgate could not read the page's request", "Reload the page."],
  "mcp.bridge_invalid_request": ["Toolgate did not accept the page's request", "Reload the page."],
  "mcp.bridge_method_unknown": [
    "This Toolgate does not know that action",
    "Reload the page; it may be of another version.",
  ],
  "mcp.bridge_params_invalid": [
    "Toolgate did not understand the page's request",
    "Reload the page; it may be of another version.",
  ],
  "mcp.command_empty": ["The command is missing", "Write the program to run, such as npx."],
  "mcp.command_too_long": ["The command is too long", "Use at most 1024 bytes; arguments have a place of their own."],
  "mcp.args_limit": ["There are too many arguments", "Use at most 100."],
  "mcp.arg_too_long": ["An argument is too long", "Each may have at most 8 KiB."],
  "mcp.env_limit": ["There are too many environment variables", "Use at most 64."],
  "mcp.env_value_too_long": ["The value of an environment variable is too long", "Each may have at most 8 KiB."],
  "mcp.stdio_nul_forbidden": ["There is a NUL character in this text", "No program can be started with it; remove it."],
  "mcp.env_name_invalid": [
    "The name of an environment variable cannot be used",
    "Write a name without = and NUL characters.",
  ],
  "mcp.cwd_empty": ["The working folder is empty", "Write a folder, or leave it out."],
  "mcp.cwd_too_long": ["The working folder is too long", "Use at most 4096 bytes."],
  "mcp.import_empty": ["There is no JSON here", "Paste the JSON of one server."],
  "mcp.import_json_invalid": ["This is not valid JSON", "Correct it at the marked place."],
  "mcp.import_json_too_deep": ["The JSON is nested too deeply", "A server's settings need only a few levels."],
  "mcp.import_json_duplicate_key": ["A key stands twice", "Keep one of them; it is not clear which one is meant."],
  "mcp.import_not_object": ["The JSON is not an object", "Start with { and the server's name."],
  "mcp.import_server_missing": ["There is no server in the JSON", "Add a name with its settings, as in the examples."],
  "mcp.import_several_servers": [
    "There is more than one server",
    "Here one is added at a time: keep one, or use Import for all.",
  ],
  "mcp.import_more_errors": [
    "There are more errors than are shown",
    "Mend those that are shown first, then import again.",
  ],
  "mcp.import_limit": ["Too many servers for one import", "Import at most 30 servers at a time."],
  "mcp.import_name_missing": ["A server has no name", "Put the server under the name it is to have."],
  "mcp.import_name_taken": [
    "There is a server of this name already",
    "Rename this one or leave it out; an import never overwrites.",
  ],
  "mcp.import_name_doubled": ["Several servers of this text have the same name", "Rename all but one of them."],
  "mcp.import_server_not_object": ["The server's settings are not an object", "Put them in { }, as in the examples."],
  "mcp.import_field_invalid": ["A field has the wrong kind of value", ""],
  "mcp.import_field_conflict": ["Two fields say the same thing", "Keep one of them."],
  "mcp.import_protocol_version_unknown": [
    "This protocol version is not known",
    "Leave it out, or use one of those named below.",
  ],
  "mcp.import_transport_missing": [
    "It says neither where nor how to reach the server",
    "Add “url” for an HTTP server or “command” for a program.",
  ],
  "mcp.import_transport_conflict": [
    "It names both a url and a command",
    "Keep “url” for HTTP or “command” for a program.",
  ],
  "mcp.import_transport_sse": [
    "The old SSE transport is not supported",
    "Look for the server's Streamable HTTP endpoint, often /mcp in place of /sse.",
  ],
  "mcp.import_transport_unsupported": ["This transport is not supported", "Use “http” or “stdio”."],
  "mcp.import_field_ignored": ["A field is not used", "Nothing to do; it has no meaning here."],
  "mcp.import_state_ignored": ["On or off is not taken over", "Servers are added paused; you activate them yourself."],
  "mcp.import_field_renamed": ["A field was read under another name", "Nothing to do; it means the same."],
  "mcp.mask_placeholder_new": [
    "A placeholder stands for a saved value, but this server is new",
    "Write the real value.",
  ],
  "mcp.mask_placeholder_moved": [
    "A placeholder stands in the wrong field",
    "Put it back into its own field, or write the real value.",
  ],
  "mcp.mask_placeholder_embedded": [
    "A placeholder stands inside other text",
    "Let it stand alone, or write the whole real value.",
  ],
  "mcp.mask_placeholder_unknown": ["A placeholder stands for nothing that is saved", "Write the real value."],
  "mcp.mask_placeholder_repeated": [
    "A placeholder stands more than once",
    "Keep one, and write real values in the other places.",
  ],
  "mcp.review_header_unsendable": [
    "A header cannot be sent",
    "HTTP cannot carry its name or value; correct or remove it.",
  ],
  "mcp.review_header_names_differ_by_case": [
    "Two headers have the same name but for case",
    "Both are sent; keep one unless the server wants both.",
  ],
  "mcp.review_header_reserved": [
    "A header is one the connection sets itself",
    "Remove it; it can keep the server from working.",
  ],
  "mcp.review_plain_http": [
    "The endpoint is plain http",
    "Everyone on the way can read and change what is sent, your headers included. Use https if the server offers it.",
  ],
  "mcp.review_userinfo": [
    "The endpoint holds a user name or password",
    "It is sent as Authorization. An Authorization header of your own takes its place.",
  ],
  "mcp.review_command_line": [
    "The command looks like a whole command line",
    "Write the program alone, and what follows as arguments.",
  ],
  "mcp.review_variable": [
    "A value looks like a variable that nothing fills in",
    "Write the real value in place of ${…}.",
  ],
  "mcp.review_unstartable": ["A value cannot be given to a program", "Remove the character named below."],
  "mcp.review_display_name_taken": [
    "Another server has this name",
    "You can keep it, but a different one is easier to tell apart.",
  ],
  "mcp.discovery_superseded": ["The server was changed while its tools were read", "Read them again."],
  "mcp.host_stopping": ["Toolgate is shutting down", "Start it again, then try again."],
  "mcp.host_connection_lost": [
    "Toolgate ended the connection before it answered",
    "Look at the present state before you try again.",
  ],
  "mcp.host_refused": ["Toolgate refused the request", "Open the page again with the address Toolgate printed."],
  "mcp.data_directory_unusable": [
    "The data folder cannot be used",
    "Check that it exists and that you may write there.",
  ],
  "mcp.registration_size_limit": [
    "The server's settings are too large to save",
    "Nothing was changed. Shorten headers, arguments, environment variables or description overrides.",
  ],
  "mcp.bridge_message_too_large": ["The request is too large", "Make it smaller, then try again."],
  "mcp.bridge_requests_limit": [
    "Too many requests are waiting for servers",
    "Nothing was done. Try again when some are answered.",
  ],
  "mcp.bridge_internal_error": ["Toolgate failed in a way it must not", "Its log says more. Try again."],
};
