// Where the page is, in the address's hash, so that a reload and the back button keep the place.
//   #/                          the servers
//   #/servers/<id>              one server
//   #/servers/<id>/<tool name>  one server with that tool open
//   #/call/<id>/<tool name>     that tool, to be tried
//   #/partners, #/partners/<id> the partners, one partner

import { signal } from "@preact/signals";

export interface Route {
  serverId?: string;
  toolName?: string;
  /** The tool is to be tried. */
  call?: true;
  /** The partners in place of the servers; empty for none of them. */
  partnerId?: string;
}

export const route = signal<Route>(parse(location.hash));

addEventListener("hashchange", () => {
  route.value = parse(location.hash);
});

export function hrefOf({ serverId, toolName, call, partnerId }: Route): string {
  if (partnerId !== undefined) return partnerId === "" ? "#/partners" : `#/partners/${encodeURIComponent(partnerId)}`;
  if (serverId === undefined) return "#/";
  if (call && toolName !== undefined) {
    return `#/call/${encodeURIComponent(serverId)}/${encodeURIComponent(toolName)}`;
  }
  const server = `#/servers/${encodeURIComponent(serverId)}`;
  return toolName === undefined ? server : `${server}/${encodeURIComponent(toolName)}`;
}

export function go(to: Route): void {
  location.hash = hrefOf(to);
}

/** Changes the address without a new entry in the history: for what is open on a screen. */
export function replaceRoute(to: Route): void {
  history.replaceState(null, "", hrefOf(to));
  route.value = to;
}

function parse(hash: string): Route {
  const partner = /^#\/partners(?:\/([^/]*))?$/.exec(hash);
  if (partner) return { partnerId: decode(partner[1]) ?? "" };
  const [, screen, serverId, toolName] = /^#\/(servers|call)\/([^/]+)(?:\/(.+))?$/.exec(hash) ?? [];
  const id = decode(serverId);
  const name = decode(toolName);
  return {
    ...(id !== undefined && { serverId: id }),
    ...(name !== undefined && { toolName: name }),
    ...(screen === "call" && name !== undefined && { call: true }),
  };
}

function decode(part: string | undefined): string | undefined {
  if (part === undefined) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
