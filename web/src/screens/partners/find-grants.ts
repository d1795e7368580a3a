// Finding granted servers by their name or by a tool of theirs.

import type { PreviewedServer, PreviewedTool } from "../../generated/types";

export interface Found {
  readonly server: PreviewedServer;
  /** The tools by which it was found, where its name is not what was searched for. */
  readonly byTools?: readonly PreviewedTool[];
}

/** Those that fit, in their order; all of them where nothing is searched for. */
export function findGrants(granted: readonly PreviewedServer[], query: string): readonly Found[] {
  const wanted = query.trim().toLowerCase();
  const fits = (text: string): boolean => text.toLowerCase().includes(wanted);
  return granted.flatMap((server): Found[] => {
    if (fits(server.displayName ?? "")) return [{ server }];
    const byTools = server.tools.filter(({ nativeName, alias }) => fits(nativeName) || fits(alias));
    return byTools.length === 0 ? [] : [{ server, byTools }];
  });
}
