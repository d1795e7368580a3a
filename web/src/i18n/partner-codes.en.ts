// What the codes of partners, their sessions and their calls mean, in English.

import type { CodeTexts } from ".";

export const partnerCodesEn = {
  "mcp.partner_id_invalid": ["The partner id is not valid", "Choose the partner from the list instead."],
  "mcp.partner_not_found": ["The partner does not exist any more", "Look at the list again."],
  "mcp.partner_limit": ["You have as many partners as Toolgate keeps", "Remove one you do not need, then try again."],
  "mcp.partner_session_not_found": [
    "The session does not exist any more",
    "It was closed or idle for too long, or Toolgate was started again. Open a new one.",
  ],
  "mcp.partner_session_limit": ["Too many sessions are open", "Close some of them, then try again."],
  "mcp.partner_mcp_off": ["MCP is off for this partner", "Its grants are kept. Switch MCP on to offer it the tools."],
  "mcp.partner_tool_limit": [
    "The server has too many tools for partners",
    "Let it offer fewer, or add a smaller part of it as a server of its own.",
  ],
  "mcp.partner_catalog_size_limit": [
    "The server's list of tools is too large for partners",
    "Let it offer fewer tools or shorter schemas.",
  ],
  "mcp.partner_tool_not_offered": [
    "The session is not offered the tool",
    "Grant the partner its server, or take the tool out of the session's filter.",
  ],
  "mcp.partner_grant_withdrawn": [
    "The call was not sent: the partner may not use the tool any more",
    "Grant the server again if it should; the next turn offers it.",
  ],
  "mcp.partner_tool_changed": [
    "The call was not sent: the tool or its server was changed",
    "Try again in the next turn, with the tool as it is then.",
  ],
  "mcp.partner_turn_ended": [
    "The call was not sent: the outcome of another call of this turn is unknown",
    "Look at the server, then go on in the next turn.",
  ],
} satisfies Partial<CodeTexts>;
