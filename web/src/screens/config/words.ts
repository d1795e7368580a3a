// Words for the fields of a server, loaded with the dialogs that show them.

import { wordsOf } from "../../i18n/words";

/** What a covered value begins with (see `mask` in core). */
export const PLACEHOLDER = "{{DSH_MCP_SAVED:";

const en = {
  endpointMissing: "The endpoint is missing. Type it, like https://example.com/mcp.",
  /** A name with what stands under it; alone, the name ends as what follows asks for. */
  labelled: (label: string, text: string) => `${label}: ${text}`,
  followed: (label: string) => `${label}:`,
  listed: (names: readonly string[]) => names.join(", "),
  savedUrl: (target: string) => `The saved address is kept. It leads to ${target}; the rest of it is not shown.`,
  savedValue: "The saved value is kept; it is not shown.",
  savedArgs: "Lines such as {{DSH_MCP_SAVED:…}} keep a saved argument, which is not shown.",
};

type Words = typeof en;

const zh: Words = {
  endpointMissing: "缺少端点。请填写，例如 https://example.com/mcp。",
  labelled: (label, text) => `${label}：${text}`,
  followed: (label) => `${label}：`,
  listed: (names) => names.join("、"),
  savedUrl: (target) => `保留已保存的地址。它指向 ${target}，其余部分不显示。`,
  savedValue: "保留已保存的值，此处不显示。",
  savedArgs: "形如 {{DSH_MCP_SAVED:…}} 的行保留一个已保存的参数，此处不显示。",
};

export const words = wordsOf<Words>({ en, zh });
