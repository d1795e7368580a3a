// Which tools are shown: by words and by what was decided.

import type { Diagnostic, Permission, ToolView } from "../../generated/types";

/** `changed`: the person says in words of their own what models are told about it. */
export type Filter = "all" | Permission | "changed" | "unready";
export const FILTERS: readonly Filter[] = ["all", "off", "ask", "allow", "changed", "unready"];

/** What keeps a tool from a model besides the two switches a person sees anyway, the tool's and the server's. */
export function obstacles(tool: ToolView): Diagnostic[] {
  return tool.notModelReady.filter(
    ({ code }) => code !== "mcp.tool_permission_off" && code !== "mcp.tool_server_paused",
  );
}

function passes(tool: ToolView, filter: Filter): boolean {
  if (filter === "all") return true;
  if (filter === "changed") return tool.override !== undefined;
  if (filter === "unready") return obstacles(tool).length > 0;
  return tool.permission === filter;
}

/** The words of a tool in lower case, kept for as long as the tool is: a search goes over them at every key. */
const haystacks = new WeakMap<ToolView, string>();

function haystack(tool: ToolView): string {
  let words = haystacks.get(tool);
  if (words === undefined) {
    words = [tool.nativeName, tool.title, tool.description].filter(Boolean).join("\n").toLowerCase();
    haystacks.set(tool, words);
  }
  return words;
}

/**
 * The tools with every word of the query that pass the filter or are to be kept whatever it says, and how many with those
 * words pass each filter.
 */
export function filterTools(
  all: readonly ToolView[],
  query: string,
  filter: Filter,
  kept: ReadonlySet<string>,
): { shown: ToolView[]; counts: Record<Filter, number> } {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const counts: Record<Filter, number> = { all: 0, off: 0, ask: 0, allow: 0, changed: 0, unready: 0 };
  const shown: ToolView[] = [];
  for (const tool of all) {
    const text = haystack(tool);
    if (!words.every((word) => text.includes(word))) continue;
    for (const each of FILTERS) if (passes(tool, each)) counts[each] += 1;
    if (passes(tool, filter) || kept.has(tool.nativeName)) shown.push(tool);
  }
  return { shown, counts };
}
