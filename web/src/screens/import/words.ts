// The words of Import, loaded with it.

import { wordsOf } from "../../i18n/words";

const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const zhCount = (n: number) => n.toLocaleString("zh-CN");

const en = {
  title: "Import servers",
  label: "Servers as JSON",
  submit: (n: number) => (n === 0 ? "Import" : `Import ${count(n, "server", "servers")}`),
  submitting: "Importing…",
  foot: "All or none; all paused. You see each exact endpoint or command before anything connects or runs.",
  openFile: "Open a file…",
  dropHint: "or drop a JSON file anywhere here.",
  dropHere: "Let go to read this file",
  fileUnread: (name: string) => `${name} could not be read.`,
  fileTooLarge: (name: string) => `${name} is too large: at most 1 MB of text can be imported.`,
  replacedByFile: (name: string) => `${name} stands in the place of your draft.`,
  replacedByAdd: "What you wrote in “Add server” stands in the place of your draft.",
  putBack: "Put my draft back",

  preview: "What will be created",
  loading: "Loading the checker…",
  notLoaded: "The checker could not be loaded, so nothing can be shown before. Toolgate still checks when you import.",
  empty: "Paste the JSON of your servers, or open a file: they show up here before anything is created.",
  ready: (n: number) => `${count(n, "server", "servers")} will be created, paused`,
  refused: (bad: number, all: number) =>
    all === 0
      ? "Nothing can be imported yet"
      : bad === 0
        ? "Nothing is created until this is fixed"
        : `${bad} of ${count(all, "entry", "entries")} ${bad === 1 ? "needs" : "need"} fixing; nothing is created until then`,
  textErrors: "In the text as a whole",
  textNotes: "Read differently or not used",
  unnamed: "(no name)",
  okay: "Ready",
  wrong: (n: number) => count(n, "thing to fix", "things to fix"),
  runs: "Runs on this computer",
  runsTitle: (n: number) => `${count(n, "entry runs a program", "entries run programs")} where Toolgate runs`,
  runsText: (n: number) =>
    `With your rights, on the computer Toolgate runs on, in a container if it runs in one. Not now: only once you activate ${n === 1 ? "it" : "them"}. Import only what you trust.`,

  hintTitle: "What you can paste",
  hint: "“mcpServers” (or “servers”) with 1 to 30 entries, as Claude, Cursor, VS Code and others keep them. “url” means HTTP, “command” a program; “headers”, “args”, “env” and “cwd” are taken over. Comments and trailing commas are fine.",
  exampleHttp: "Example: HTTP servers",
  exampleStdio: "Example: commands (stdio)",

  doneTitle: (n: number) => `${count(n, "server was", "servers were")} created, all paused`,
  doneText: "Nothing has connected. Look at each, and activate those you want to use.",
  notes: (n: number) => count(n, "note", "notes"),
  activate: "Activate and connect…",
  activateLabel: (name: string) => `Activate and connect ${name}…`,
  active: "Active",
  done: "Done",
  more: "Import more",
};

type Words = typeof en;

const zh: Words = {
  title: "导入服务器",
  label: "服务器 JSON",
  submit: (n) => (n === 0 ? "导入" : `导入 ${zhCount(n)} 个服务器`),
  submitting: "正在导入…",
  foot: "要么全部导入，要么一个也不导入；全部为暂停状态。连接或运行之前，你会看到每一个确切的端点或命令。",
  openFile: "打开文件…",
  dropHint: "也可以把 JSON 文件拖到这里。",
  dropHere: "松开以读取这个文件",
  fileUnread: (name) => `无法读取 ${name}。`,
  fileTooLarge: (name) => `${name} 过大：最多可导入 1 MB 文本。`,
  replacedByFile: (name) => `${name} 的内容替换了你的草稿。`,
  replacedByAdd: "你在“添加服务器”中写的内容替换了草稿。",
  putBack: "恢复我的草稿",

  preview: "将要创建的内容",
  loading: "正在加载检查模块…",
  notLoaded: "检查模块无法加载，因此不能预览。导入时 Toolgate 仍会检查。",
  empty: "粘贴服务器的 JSON 或打开文件，创建之前会先显示在这里。",
  ready: (n) => `将创建 ${zhCount(n)} 个服务器，均为暂停状态`,
  refused: (bad, all) =>
    all === 0
      ? "目前无法导入"
      : bad === 0
        ? "修正之前不会创建任何服务器"
        : `${zhCount(all)} 项中有 ${zhCount(bad)} 项需要修正；在此之前不会创建任何服务器`,
  textErrors: "整个文本",
  textNotes: "读取方式不同或未使用",
  unnamed: "（没有名称）",
  okay: "可以导入",
  wrong: (n) => `${zhCount(n)} 处需要修正`,
  runs: "在这台电脑上运行",
  runsTitle: (n) => `${zhCount(n)} 项会在 Toolgate 所在的电脑上运行程序`,
  runsText: () =>
    "以你的权限在运行 Toolgate 的电脑上执行；如果 Toolgate 在容器中，则在容器内执行。现在不会运行，启用后才会运行。请只导入可信的内容。",

  hintTitle: "可以粘贴什么",
  hint: "含 1 到 30 项的“mcpServers”（或“servers”），与 Claude、Cursor、VS Code 等保存的格式相同。“url”表示 HTTP，“command”表示程序；“headers”、“args”、“env”和“cwd”会保留。允许注释和末尾逗号。",
  exampleHttp: "示例：HTTP 服务器",
  exampleStdio: "示例：命令（stdio）",

  doneTitle: (n) => `已创建 ${zhCount(n)} 个服务器，均为暂停状态`,
  doneText: "没有建立任何连接。请逐一查看，并启用你要使用的服务器。",
  notes: (n) => `${zhCount(n)} 条说明`,
  activate: "启用并连接…",
  activateLabel: (name) => `启用并连接 ${name}…`,
  active: "已启用",
  done: "完成",
  more: "继续导入",
};

export const words = wordsOf<Words>({ en, zh });
