// What the codes of calls and of what models are offered mean, in English.

import type { CodeTexts } from ".";

export const callCodesEn = {
  "mcp.call_cancelled_before_send": [
    "The call was cancelled before it was sent",
    "Nothing reached the server. Run it again if you want to.",
  ],
  "mcp.call_not_started": ["The call was not sent", "It waited too long. Run it again."],
  "mcp.call_registration_invalid": ["The call was not sent: it names no server", "Open the server from the list."],
  "mcp.call_tool_name_invalid": ["The call was not sent: it names no tool", "Choose the tool from the server's list."],
  "mcp.call_arguments_size_limit": [
    "The call was not sent: its arguments are too large",
    "Use arguments of at most 256 KiB.",
  ],
  "mcp.call_arguments_invalid_json": [
    "The call was not sent: its arguments are not JSON",
    "Correct them at the place that is named.",
  ],
  "mcp.call_arguments_not_object": [
    "The call was not sent: its arguments are no object",
    "Write a JSON object, {} where there is nothing to say.",
  ],
  "mcp.call_registration_not_found": ["The call was not sent: its server is gone", "It was removed in the meantime."],
  "mcp.call_registration_unavailable": [
    "The call was not sent: its server could not be read, or was changed meanwhile",
    "Look at the server and the storage issues, then run it again.",
  ],
  "mcp.call_server_paused": ["The call was not sent: its server is paused", "Activate the server, then run it again."],
  "mcp.call_permission_off": ["The call was not sent: its tool is off", "Set the tool to Ask or Allow."],
  "mcp.call_headers_invalid": [
    "The call was not sent: one of your headers cannot be sent",
    "Correct or remove that header.",
  ],
  "mcp.call_http_client_unavailable": [
    "The call was not sent: Toolgate's HTTP client could not be set up",
    "A proxy variable of its environment holds no address. Correct or unset it, then start Toolgate again.",
  ],
  "mcp.call_initialize_timeout": [
    "The call was not sent: the server was not ready in time",
    "Try again, or look whether the server runs.",
  ],
  "mcp.call_initialize_failed": [
    "The call was not sent: the server could not be reached",
    "Refresh the tools to see what is wrong.",
  ],
  "mcp.call_tools_capability_missing": [
    "The call was not sent: the server offers no tools",
    "Look whether this is the right endpoint.",
  ],
  "mcp.call_metadata_timeout": ["The call was not sent: the server's list of tools took too long", "Try again."],
  "mcp.call_metadata_failed": [
    "The call was not sent: the server's list of tools could not be read",
    "Refresh the tools to see what is wrong.",
  ],
  "mcp.call_tool_unavailable": ["The call was not sent: the server no longer offers the tool", "Refresh the tools."],
  "mcp.call_not_queued": ["The call was not sent: the connection had ended", "Run it again."],
  "mcp.legacy_tool_not_advertised": [
    "The call was not sent: its tool was not offered in this round",
    "Nothing to do; the model is told.",
  ],
  "mcp.call_cancelled": [
    "The call was ended; it may have been carried out",
    "Look at the server before you run it again.",
  ],
  "mcp.call_timeout": [
    "No answer in time; the call may have been carried out",
    "Look at the server before you run it again.",
  ],
  "mcp.call_response_failed": [
    "No answer could be read; the call may have been carried out",
    "Look at the server before you run it again.",
  ],
  "mcp.call_content_unsupported": ["Part of the answer is not shown here", "The rest of the answer is whole."],
  "mcp.call_metadata_unsupported": ["The answer has metadata that is not shown", "Nothing to do."],
  "mcp.call_result_field_invalid": [
    "A field of the answer is of the wrong type",
    "It was read as the note says; the server's maker has to repair it.",
  ],
  "mcp.model_tool_error": ["The tool says that it failed", "Its answer says why."],
  "mcp.model_server_error": ["The server answered with an error", "Its message says why."],
  "mcp.model_response_unsupported": [
    "The server's answer is not supported",
    "Toolgate carries no tasks or further questions of servers.",
  ],
  "mcp.partner_result_size_limit": [
    "The call was carried out, but its result is too large to be read",
    "Ask for less, or for a download link.",
  ],
  "mcp.description_property_missing": [
    "A description is set for a property the tool does not have",
    "It is skipped; remove it if it is not needed any more.",
  ],
  "mcp.tool_catalog_missing": ["The server's tools have not been read yet", "Refresh the server's tools."],
  "mcp.tool_not_in_catalog": [
    "The server does not offer the tool",
    "Refresh the server's tools, or take the tool out of the profile.",
  ],
  "mcp.inline_char_limit_invalid": [
    "The limit for results is not a positive number",
    "Write at least 1, or leave it out.",
  ],
  "mcp.tool_allowed_twice": ["The profile allows the tool more than once", "It counts once; remove the other entries."],
  "mcp.description_tool_missing": [
    "The profile describes a tool that it does not allow",
    "Allow the tool, or remove the description.",
  ],
  "mcp.agent_invocation_not_found": ["The agent's run is over, or was not used for too long", "Begin a new run."],
  "mcp.agent_invocation_ended": [
    "The agent's run has ended: the outcome of a call is unknown",
    "Look at the server, then begin a new run.",
  ],
  "mcp.agent_invocation_limit": ["Too many agent runs are open", "End those that are not needed any more."],
  "mcp.agent_tool_not_bound": ["The agent called a tool it was not offered", "Nothing to do; the model is told."],
  "mcp.result_file_not_found": ["The run has no such result", "Use the path that the result named."],
  "mcp.result_range_invalid": ["The result does not have these lines", "Ask for lines that it has."],
  "mcp.legacy_tools_invalid": ["The chat's list of tools cannot be read", "No MCP tool is offered in this round."],
  "mcp.legacy_root_ended": [
    "The generation has ended: the outcome of a call is unknown",
    "Look at the server, then begin anew.",
  ],
} satisfies Partial<CodeTexts>;
