// The words of the Partners screen, loaded with it.

import { wordsOf } from "../../i18n/words";

const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const zhCount = (n: number) => n.toLocaleString("zh-CN");
const offered = (n: number, on: boolean) =>
  `${count(n, "tool", "tools")} ${on ? "in the next turn" : "once MCP is on"}`;
const zhOffered = (n: number, on: boolean) => `${on ? "下一轮提供" : "开启 MCP 后提供"} ${zhCount(n)} 个工具`;

const en = {
  add: "New partner",
  search: "Search partners",
  listLabel: "Partners",
  loading: "Loading your partners…",
  loadFailed: "Your partners could not be loaded",
  emptyTitle: "No partners yet",
  emptyText:
    "A partner is an assistant or companion in your application. Here you say which servers it may use; it gets their tools from its next turn on.",
  noMatch: (query: string) => `No partner matches “${query}”.`,
  chooseTitle: "Choose a partner",
  chooseText: "What it may use shows up here.",
  back: "Back to partners",
  goneTitle: "This partner is gone",
  goneText: "It was removed here or in another window.",
  mcpOn: "MCP on",
  mcpOff: "MCP off",
  mcpSwitch: (name: string) => `MCP for ${name}`,
  servers: (n: number) => count(n, "server", "servers"),
  moreActions: (name: string) => `More actions for ${name}`,
  switchOn: "Switch MCP on",
  switchOff: "Switch MCP off",
  rename: "Rename…",
  remove: "Remove…",
  nowOn: (name: string) => `MCP is on for ${name}; its tools are offered from the next turn on.`,
  nowOff: (name: string) => `MCP is off for ${name}. Calls are refused at once; what it was granted is kept.`,
  notDone: "The partner was not changed",

  newTitle: "New partner",
  renameTitle: (name: string) => `Rename ${name}`,
  name: "Name",
  nameHint: "As you know it in your application.",
  namePlaceholder: "Research assistant",
  create: "Create partner",
  created: (name: string) => `${name} was created. Switch MCP on and grant it servers.`,
  saveName: "Rename",
  renamed: (name: string) => `It is now called ${name}.`,

  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: "This goes with it and cannot be brought back:",
  removeGrants: (n: number) => `what it was granted: ${count(n, "server", "servers")}`,
  removeSessions: "its sessions: their next call is refused, and their next turn has no tools",
  removeServers: "The servers stay as they are.",
  removeConfirm: "Remove partner",
  removed: (name: string) => `${name} was removed.`,

  offTitle: "MCP is off for this partner",
  offText: "You can grant servers already: their tools are offered once MCP is on.",
  nextTurn: "Next turn",
  offers: (n: number) =>
    n === 0 ? "The next turn offers no tools." : `The next turn offers ${count(n, "tool", "tools")}.`,
  offersWhenOn: (n: number) => `With MCP on it would offer ${count(n, "tool", "tools")}.`,
  readFailed: "What it may use could not be read",
  shownIsOld: "What it may use could not be read. What you see below is what was read before.",
  reading: "Reading what it is offered…",

  grants: "Granted servers",
  grant: "Grant servers…",
  noneTitle: "No servers granted yet",
  noneText: "Grant it a server, and its tools are offered from the next turn on.",
  noServers: "There are no servers yet. Add one first.",
  allGranted: "It is granted all your servers already.",
  showMore: (n: number) => `Show ${n.toLocaleString("en")} more`,
  showFewer: "Show the first four only",
  unreadServer: "A server that cannot be read",
  openServer: (name: string) => `Open ${name}`,
  scope: (name: string) => `Which tools of ${name}`,
  scopes: { all: "All tools", permitted: "Ask and Allow only" },
  scopeHelp: {
    all: "Every tool of the server, those that are Off and those it gets later included. This is the default.",
    permitted: "Only tools that you set to Ask or Allow.",
  },
  allNow: (tools: number, off: number, on: boolean) =>
    off === 0
      ? `${offered(tools, on)}; new ones are added by themselves`
      : `${offered(tools, on)}, ${off.toLocaleString("en")} of them Off for other uses; new ones are added by themselves`,
  permittedNow: (tools: number, off: number, on: boolean) =>
    off === 0
      ? offered(tools, on)
      : `${offered(tools, on)}; ${off.toLocaleString("en")} Off ${off === 1 ? "is" : "are"} left out`,
  noneNow: "No tools in the next turn",
  missing: (n: number) => `Left out (${n.toLocaleString("en")})`,
  toolList: (n: number) => `Tools (${n.toLocaleString("en")})`,
  toolsFound: (n: number, all: number) =>
    `${n.toLocaleString("en")} of ${count(all, "tool", "tools")} ${n === 1 ? "matches" : "match"}`,
  searchGrants: "Search granted servers and tools",
  grantsFound: (n: number) => `${count(n, "granted server", "granted servers")} found.`,
  noGrantFound: "No granted server and none of their tools match.",
  each: (names: readonly string[]) => `: ${names.join(", ")}`,
  alias: "The model calls it",
  toolPermissions: { off: "Off for other uses", ask: "Ask", allow: "Allow" },
  staleCatalog: "Its last refresh failed; the tools read before are offered.",
  withdraw: "Withdraw",
  withdrawLabel: (name: string) => `Withdraw ${name}`,
  withdrawn: (name: string) =>
    `${name} is withdrawn: its calls are refused at once, and the next turn does not offer it.`,
  granted: (names: number, offered: boolean) =>
    `${count(names, "server is", "servers are")} granted${offered ? "; offered from the next turn on" : ""}.`,
  grantedAgain: (name: string) => `${name} is granted again.`,
  scopeChanged: (name: string) => `${name}: changed, from the next turn on.`,

  grantTitle: (name: string) => `Grant servers to ${name}`,
  grantSearch: "Search servers",
  grantScope: "Which of their tools",
  grantList: "Servers",
  grantNoMatch: "No server matches.",
  grantTools: (tools: number, off: number) =>
    off === 0 ? count(tools, "tool", "tools") : `${count(tools, "tool", "tools")}, ${off.toLocaleString("en")} Off`,
  grantUnread: "Tools not read yet",
  notGranted: "Nothing was granted",
  grantConfirm: (n: number) => (n === 0 ? "Grant" : `Grant ${count(n, "server", "servers")}`),
  grantPartly: (done: number, all: number) => `${done} of ${all} were granted. The rest was not:`,
};

type Words = typeof en;

const zh: Words = {
  add: "新建伙伴",
  search: "搜索伙伴",
  listLabel: "伙伴",
  loading: "正在加载伙伴…",
  loadFailed: "无法加载伙伴列表",
  emptyTitle: "还没有伙伴",
  emptyText: "伙伴是你的应用中的助手或陪伴角色。在这里决定它可以使用哪些服务器；从下一轮对话起，它就能使用其中的工具。",
  noMatch: (query) => `没有与“${query}”匹配的伙伴。`,
  chooseTitle: "选择一个伙伴",
  chooseText: "它可以使用的内容会显示在这里。",
  back: "返回伙伴列表",
  goneTitle: "这个伙伴已不存在",
  goneText: "它在这里或另一个窗口中被移除了。",
  mcpOn: "MCP 已开启",
  mcpOff: "MCP 已关闭",
  mcpSwitch: (name) => `${name} 的 MCP`,
  servers: (n) => `${zhCount(n)} 个服务器`,
  moreActions: (name) => `${name} 的更多操作`,
  switchOn: "开启 MCP",
  switchOff: "关闭 MCP",
  rename: "重命名…",
  remove: "移除…",
  nowOn: (name) => `已为 ${name} 开启 MCP，从下一轮起提供工具。`,
  nowOff: (name) => `已为 ${name} 关闭 MCP。调用立即被拒绝，授权会保留。`,
  notDone: "伙伴没有更改",

  newTitle: "新建伙伴",
  renameTitle: (name) => `重命名 ${name}`,
  name: "名称",
  nameHint: "与你的应用中的名称一致。",
  namePlaceholder: "研究助手",
  create: "创建伙伴",
  created: (name) => `已创建 ${name}。请开启 MCP，并添加它可以使用的服务器。`,
  saveName: "重命名",
  renamed: (name) => `现在名为 ${name}。`,

  removeTitle: (name) => `移除 ${name}？`,
  removeText: "以下内容会一并删除，无法恢复：",
  removeGrants: (n) => `对它的授权：${zhCount(n)} 个服务器`,
  removeSessions: "它的会话：之后的调用会被拒绝，下一轮没有工具",
  removeServers: "服务器不受影响。",
  removeConfirm: "移除伙伴",
  removed: (name) => `已移除 ${name}。`,

  offTitle: "这个伙伴的 MCP 已关闭",
  offText: "可以先添加服务器，开启 MCP 后就会提供它们的工具。",
  nextTurn: "下一轮",
  offers: (n) => (n === 0 ? "下一轮不提供工具。" : `下一轮提供 ${zhCount(n)} 个工具。`),
  offersWhenOn: (n) => `开启 MCP 后将提供 ${zhCount(n)} 个工具。`,
  readFailed: "无法读取它可以使用的内容",
  shownIsOld: "无法读取它可以使用的内容，下面显示的是之前读取的内容。",
  reading: "正在读取它可以使用的内容…",

  grants: "它可以使用的服务器",
  grant: "添加服务器…",
  noneTitle: "还没有可以使用的服务器",
  noneText: "添加一个服务器后，从下一轮起提供它的工具。",
  noServers: "还没有服务器，请先添加。",
  allGranted: "你的全部服务器它都可以使用。",
  showMore: (n) => `再显示 ${zhCount(n)} 个`,
  showFewer: "只显示前四个",
  unreadServer: "无法读取的服务器",
  openServer: (name) => `打开 ${name}`,
  scope: (name) => `${name} 的哪些工具`,
  scopes: { all: "全部工具", permitted: "仅询问和允许" },
  scopeHelp: {
    all: "服务器的所有工具，包括已关闭的以及以后新增的。这是默认选择。",
    permitted: "仅限你设为询问或允许的工具。",
  },
  allNow: (tools, off, on) =>
    off === 0
      ? `${zhOffered(tools, on)}；以后新增的会自动加入`
      : `${zhOffered(tools, on)}，其中 ${zhCount(off)} 个对其他用途为关闭；以后新增的会自动加入`,
  permittedNow: (tools, off, on) =>
    off === 0 ? zhOffered(tools, on) : `${zhOffered(tools, on)}；已关闭的 ${zhCount(off)} 个不提供`,
  noneNow: "下一轮没有工具",
  missing: (n) => `未提供的工具（${zhCount(n)}）`,
  toolList: (n) => `工具（${zhCount(n)}）`,
  toolsFound: (n, all) => `${zhCount(all)} 个工具中有 ${zhCount(n)} 个匹配`,
  searchGrants: "搜索它可以使用的服务器和工具",
  grantsFound: (n) => `找到 ${zhCount(n)} 个它可以使用的服务器。`,
  noGrantFound: "它可以使用的服务器和工具中没有匹配的。",
  each: (names) => `：${names.join("、")}`,
  alias: "模型使用的名称",
  toolPermissions: { off: "对其他用途关闭", ask: "询问", allow: "允许" },
  staleCatalog: "上次刷新失败，提供的是之前读取的工具。",
  withdraw: "收回授权",
  withdrawLabel: (name) => `收回授权：${name}`,
  withdrawn: (name) => `已收回对 ${name} 的授权：调用立即被拒绝，下一轮不再提供。`,
  granted: (n, offered) => `已允许使用 ${zhCount(n)} 个服务器${offered ? "，从下一轮起提供" : ""}。`,
  grantedAgain: (name) => `已重新允许使用 ${name}。`,
  scopeChanged: (name) => `${name}：已更改，从下一轮起生效。`,

  grantTitle: (name) => `允许 ${name} 使用服务器`,
  grantSearch: "搜索服务器",
  grantScope: "提供哪些工具",
  grantList: "服务器",
  grantNoMatch: "没有匹配的服务器。",
  grantTools: (tools, off) =>
    off === 0 ? `${zhCount(tools)} 个工具` : `${zhCount(tools)} 个工具，其中 ${zhCount(off)} 个关闭`,
  grantUnread: "尚未读取工具",
  notGranted: "没有添加任何服务器",
  grantConfirm: (n) => (n === 0 ? "允许" : `允许 ${zhCount(n)} 个服务器`),
  grantPartly: (done, all) => `${all} 个中已允许 ${done} 个，其余未完成：`,
};

export const words = wordsOf<Words>({ en, zh });
