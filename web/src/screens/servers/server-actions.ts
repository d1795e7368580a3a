// What can be done with a server from its row or its screen.

import { problemOf } from "../../bridge/problem";
import type { ServerSummary } from "../../generated/types";
import { messages } from "../../i18n";
import { readTools } from "../../state/catalogs";
import { openDialog } from "../../state/dialogs";
import { complain, say } from "../../state/notices";
import { route } from "../../state/route";
import { aboutState, aboutTools, activateServer, pauseServer, readConfig } from "../../state/servers";
import { visible } from "../../text/visible";
import type { MenuItem } from "../../ui/menu";

/** Pausing is done at once, as nothing is lost by it; activating opens the look at what it means. */
export async function toggleState(server: ServerSummary): Promise<void> {
  if (server.state === "paused") {
    openDialog.value = { kind: "activate", id: server.id };
    return;
  }
  await pause(server.id, visible(server.displayName));
}

/** Pauses, and offers the way back: to the configuration that was active, and to no other. */
export async function pause(id: string, name: string): Promise<void> {
  const failed = (what: string) => (error: unknown) => complain(what, problemOf(error), aboutState(id));
  const { servers } = messages.value;
  try {
    const { revision } = await readConfig(id, false);
    await pauseServer(id);
    say(servers.pausedDone(name), {
      about: aboutState(id),
      undo: () => {
        activateServer(id, revision).then(
          () => say(servers.activeAgain(name), { about: aboutState(id) }),
          failed(servers.notActivated(name)),
        );
      },
    });
  } catch (error) {
    failed(servers.notPaused(name))(error);
  }
}

export async function refreshTools(server: ServerSummary): Promise<void> {
  const { result, problem } = await readTools(server.id, "refresh");
  const name = visible(server.displayName);
  // The server's own screen shows why, with what can be done about it.
  if (problem && route.peek().serverId === server.id) return;
  if (problem) complain(messages.value.server.readFailedOf(name), problem, aboutTools(server.id));
  else say(messages.value.server.refreshed(name, result?.tools.length ?? 0));
}

export function serverMenu(server: ServerSummary): MenuItem[] {
  const { actions } = messages.value.servers;
  const remove: MenuItem = {
    label: actions.remove,
    icon: "trash",
    danger: true,
    onSelect: () => (openDialog.value = { kind: "remove", id: server.id }),
  };
  const edit: MenuItem = {
    label: actions.edit,
    icon: "pencil",
    onSelect: () => (openDialog.value = { kind: "edit", id: server.id }),
  };
  if (server.state === "paused") {
    return [{ label: actions.activate, icon: "plug", onSelect: () => void toggleState(server) }, edit, remove];
  }
  return [
    {
      label: server.toolCount === undefined ? actions.read : actions.refresh,
      icon: "refresh",
      onSelect: () => void refreshTools(server),
    },
    { label: actions.pause, icon: "circlePause", onSelect: () => void toggleState(server) },
    edit,
    remove,
  ];
}
