// What the codes of partners, their sessions and their calls mean, in Simplified Chinese.

import type { CodeTexts } from ".";

export const partnerCodesZh = {
  "mcp.partner_id_invalid": ["伙伴 ID 无效", "请从列表中选择伙伴。"],
  "mcp.partner_not_found": ["伙伴已不存在", "请重新查看列表。"],
  "mcp.partner_limit": ["伙伴数量已达上限", "请删除不需要的伙伴，然后重试。"],
  "mcp.partner_session_not_found": ["会话已不存在", "它已关闭、闲置过久，或 Toolgate 已重新启动。请新建会话。"],
  "mcp.partner_session_limit": ["打开的会话过多", "请关闭一些会话，然后重试。"],
  "mcp.partner_mcp_off": ["该伙伴的 MCP 已关闭", "授权会保留，开启 MCP 后即可使用工具。"],
  "mcp.partner_tool_limit": [
    "服务器的工具过多，无法提供给伙伴",
    "请减少它提供的工具，或将其中一部分单独添加为服务器。",
  ],
  "mcp.partner_catalog_size_limit": ["服务器的工具列表过大，无法提供给伙伴", "请减少它提供的工具，或缩短其参数定义。"],
  "mcp.partner_tool_not_offered": ["会话中没有该工具", "请允许该伙伴使用其服务器，或从会话的限制中移除该工具。"],
  "mcp.partner_grant_withdrawn": ["调用没有发送：伙伴已无权使用该工具", "如需使用，请重新授权，下一轮生效。"],
  "mcp.partner_tool_changed": ["调用没有发送：工具或其服务器已变化", "请在下一轮按新的工具重试。"],
  "mcp.partner_turn_ended": ["调用没有发送：本轮另一次调用的结果未知", "请先查看服务器上的情况，然后在下一轮继续。"],
} satisfies Partial<CodeTexts>;
