// What can be done with a partner from its row or its screen.

import { problemOf } from "../../bridge/problem";
import type { GrantScope, Partner } from "../../generated/types";
import { messages } from "../../i18n";
import { openDialog } from "../../state/dialogs";
import { complain, say } from "../../state/notices";
import { enablePartner, grantServer, revokeServer } from "../../state/partners";
import { visible } from "../../text/visible";
import type { MenuItem } from "../../ui/menu";
import { words } from "./words";

const aboutPartner = (id: string): string => `partner ${id}`;

/** Runs a change of a partner; says what came of it, and offers the way back where there is one. */
async function change(
  id: string,
  act: () => Promise<unknown>,
  done: string,
  back?: () => Promise<void>,
): Promise<void> {
  const about = aboutPartner(id);
  try {
    await act();
    say(done, { about, ...(back && { undo: () => void back() }) });
  } catch (error) {
    complain(words.value.notDone, problemOf(error), about);
  }
}

export function toggleMcp({ id, name, mcpEnabled }: Partner, undoable = true): Promise<void> {
  const done = (mcpEnabled ? words.value.nowOff : words.value.nowOn)(visible(name));
  const now = !mcpEnabled;
  const back = () => toggleMcp({ id, name, mcpEnabled: now, grants: [] }, false);
  return change(id, () => enablePartner(id, now), done, undoable ? back : undefined);
}

export function withdraw(id: string, serverId: string, scope: GrantScope, name: string): Promise<void> {
  return change(
    id,
    () => revokeServer(id, serverId),
    words.value.withdrawn(name),
    () => change(id, () => grantServer(id, serverId, scope), words.value.grantedAgain(name)),
  );
}

export function setScope(id: string, serverId: string, scope: GrantScope, name: string): Promise<void> {
  const before: GrantScope = scope === "all" ? "permitted" : "all";
  return change(
    id,
    () => grantServer(id, serverId, scope),
    words.value.scopeChanged(name),
    () => change(id, () => grantServer(id, serverId, before), messages.value.tools.undone),
  );
}

export function partnerMenu(partner: Partner): MenuItem[] {
  const { id } = partner;
  return [
    {
      label: partner.mcpEnabled ? words.value.switchOff : words.value.switchOn,
      icon: partner.mcpEnabled ? "circlePause" : "plug",
      onSelect: () => void toggleMcp(partner),
    },
    { label: words.value.rename, icon: "pencil", onSelect: () => (openDialog.value = { kind: "renamePartner", id }) },
    {
      label: words.value.remove,
      icon: "trash",
      danger: true,
      onSelect: () => (openDialog.value = { kind: "removePartner", id }),
    },
  ];
}
