// The page as a whole: servers at the left, the chosen one at the right; on a narrow screen one after the other.

import { useEffect, useRef } from "preact/hooks";
import { messages } from "./i18n";
import {
  ActivateDialog,
  AddDialog,
  CallScreen,
  EditDialog,
  GrantDialog,
  ImportDialog,
  PartnerNameDialog,
  PartnerPane,
  PartnersPane,
  RemovePartnerDialog,
} from "./screens/parts";
import { ServerPane } from "./screens/server/server-pane";
import { RemoveFileDialog, RemoveServerDialog } from "./screens/servers/remove-dialogs";
import { ServersPane } from "./screens/servers/servers-pane";
import { bridge, connection, sessionEnded } from "./state/bridge";
import { openDialog } from "./state/dialogs";
import { leaveScreen } from "./state/notices";
import { route } from "./state/route";
import { serverById, servers } from "./state/servers";
import { visible } from "./text/visible";
import { Button } from "./ui/button";
import { Empty } from "./ui/empty";
import { Icon } from "./ui/icon";
import { Notices } from "./ui/notices";

export function App() {
  const { serverId, toolName, call, partnerId } = route.value;
  const atPartners = partnerId !== undefined;
  /** What is chosen in the list at the left. */
  const chosenId = serverId ?? (partnerId || undefined);
  const { app } = messages.value;
  const chosen = serverId === undefined ? undefined : serverById(serverId);
  const detail = useRef<HTMLElement>(null);

  useEffect(() => {
    if (call) return; // The test call has a title of its own.
    document.title = chosen ? `${visible(chosen.displayName)} · ${app}` : app;
  }, [chosen?.displayName, app, call]);

  // On a narrow screen the list is gone once a server is chosen, and the focus with it: go on at the new heading.
  const before = useRef(chosenId);
  useEffect(() => {
    if (before.current === chosenId) return;
    const left = before.current;
    before.current = chosenId;
    leaveScreen();
    if (document.activeElement !== document.body && document.activeElement?.checkVisibility()) return;
    if (chosenId !== undefined) detail.current?.querySelector<HTMLElement>("h1")?.focus();
    else document.querySelector<HTMLElement>(`[data-server="${CSS.escape(left ?? "")}"]`)?.focus();
  }, [chosenId]);

  // Back from a test call: go on at the tool that was tried.
  const called = useRef(call);
  useEffect(() => {
    const left = called.current;
    called.current = call;
    if (!left || call || document.activeElement !== document.body) return;
    const tried = detail.current?.querySelector<HTMLElement>('.tool.open [data-part="open"]');
    (tried ?? detail.current?.querySelector<HTMLElement>("h1"))?.focus();
  }, [call]);

  return (
    <div class={chosenId === undefined ? "app at-list" : "app at-server"}>
      <ConnectionBanner />
      <main class="panes">
        {atPartners ? <PartnersPane /> : <ServersPane />}
        <section class="chosen-pane" ref={detail} aria-label={chosen ? visible(chosen.displayName) : undefined}>
          {atPartners ? (
            <PartnerPane key={partnerId} id={partnerId} />
          ) : serverId === undefined ? (
            <Choose />
          ) : call && toolName !== undefined ? (
            <CallScreen key={`${serverId}:${toolName}`} id={serverId} tool={toolName} />
          ) : (
            <ServerPane id={serverId} />
          )}
        </section>
      </main>
      <Dialogs />
      <Notices />
    </div>
  );
}

function Choose() {
  const { servers: texts } = messages.value;
  if (servers.value.length === 0) return null;
  return (
    <Empty icon="server" title={texts.chooseTitle}>
      <p>{texts.chooseText}</p>
    </Empty>
  );
}

function ConnectionBanner() {
  const { connection: texts } = messages.value;
  const lost = connection.value === "lost";
  return (
    <div role="status" class="banner-place">
      {lost && (
        <div class="banner">
          <Icon name="unplug" size={18} />
          <span>{sessionEnded.value ? texts.sessionEnded : texts.lost}</span>
          <Button onClick={() => bridge.retryNow()}>{texts.retry}</Button>
        </div>
      )}
    </div>
  );
}

function Dialogs() {
  const dialog = openDialog.value;
  switch (dialog?.kind) {
    case "add":
      return <AddDialog />;
    case "import":
      return <ImportDialog />;
    case "activate":
      return <ActivateDialog key={dialog.id} id={dialog.id} />;
    case "edit":
      return <EditDialog key={dialog.id} id={dialog.id} />;
    case "remove":
      return <RemoveServerDialog key={dialog.id} id={dialog.id} />;
    case "removeFile":
      return <RemoveFileDialog key={dialog.fileName} fileName={dialog.fileName} />;
    case "newPartner":
      return <PartnerNameDialog />;
    case "renamePartner":
      return <PartnerNameDialog key={dialog.id} id={dialog.id} />;
    case "removePartner":
      return <RemovePartnerDialog key={dialog.id} id={dialog.id} />;
    case "grant":
      return <GrantDialog key={dialog.id} id={dialog.id} />;
    case undefined:
      return null;
  }
}
