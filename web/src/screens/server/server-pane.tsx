// One server: what it is, its state, and its tools or the reason why there are none to see.

import { useEffect, useRef } from "preact/hooks";
import type { ServerSummary } from "../../generated/types";
import { codeLine, messages } from "../../i18n";
import { catalogOf, readTools, type CatalogState } from "../../state/catalogs";
import { openDialog } from "../../state/dialogs";
import { hrefOf } from "../../state/route";
import { loaded, serverById } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/empty";
import { Icon } from "../../ui/icon";
import { Menu } from "../../ui/menu";
import { Box, DiagnosticLine, ProblemBox } from "../../ui/notice";
import { StateWord } from "../../ui/state-word";
import { Switch } from "../../ui/switch";
import { RelativeTime } from "../../ui/time";
import { pause, refreshTools, serverMenu, toggleState } from "../servers/server-actions";
import { DiscoveryNotes, StaleDescriptions, StaleTools } from "./catalog-notes";
import { ToolList } from "./tool-list";
import { WholeAddress } from "./whole-address";

export function ServerPane({ id }: { id: string }) {
  const server = serverById(id);
  if (server) return <KnownServer key={id} server={server} />;
  const { server: texts, common, servers } = messages.value;
  if (!loaded.value.list) {
    return loaded.value.problem ? null : <Empty icon="spinner" title={servers.loading} />;
  }
  return (
    <Empty
      icon="unplug"
      title={texts.notFoundTitle}
      actions={
        <a class="button plain" href={hrefOf({})}>
          {common.back}
        </a>
      }
    >
      <p>{texts.notFoundText}</p>
    </Empty>
  );
}

function KnownServer({ server }: { server: ServerSummary }) {
  const texts = messages.value;
  const catalog = catalogOf(server.id).value;
  const scroller = useRef<HTMLDivElement>(null);
  const { id } = server;
  const name = visible(server.displayName);
  const active = server.state === "active";

  // What the host has saved is shown without asking; it takes no connection. Anything else is for the person to start.
  const saved = active && server.toolCount !== undefined && server.lastFailure === undefined;
  const untouched = !catalog.reading && !catalog.result && !catalog.problem;
  useEffect(() => {
    if (active && server.toolCount !== undefined && untouched) void readTools(id, "discover");
  }, [id, saved, active, untouched, server.toolCount]);

  return (
    <div class="server-pane" ref={scroller}>
      <header class="server-head">
        <a class="back" href={hrefOf({})}>
          <Icon name="arrowLeft" size={18} />
          <span>{texts.common.back}</span>
        </a>
        <div class="server-title">
          <h1 tabIndex={-1} data-focus-fallback>
            <Untrusted text={server.displayName} />
          </h1>
          <div class="server-tools">
            <StateWord server={server} catalog={{}} />
            <Switch
              label={texts.servers.switchLabel(name)}
              checked={active}
              onToggle={() => void toggleState(server)}
            />
            {active && catalog.result && (
              <span class="either">
                <Button
                  icon="refresh"
                  busy={catalog.reading === "refresh"}
                  title={texts.server.refreshTitle}
                  onClick={() => void refreshTools(server)}
                >
                  {catalog.reading === "refresh" ? texts.server.refreshing : texts.server.refresh}
                </Button>
                {/* As wide as the longer word, so that nothing beside it moves. */}
                <span class="button plain away" aria-hidden="true">
                  <Icon name="refresh" />
                  <span>{texts.server.refreshing}</span>
                </span>
              </span>
            )}
            <Menu label={texts.common.moreActions(name)} items={serverMenu(server)} />
          </div>
        </div>
        <Subtitle server={server} catalog={catalog} />
      </header>
      <div class="server-body">
        {active ? <ActiveBody server={server} catalog={catalog} scroller={scroller} /> : <PausedBody server={server} />}
      </div>
    </div>
  );
}

function Subtitle({ server, catalog }: { server: ServerSummary; catalog: CatalogState }) {
  const texts = messages.value;
  const { result } = catalog;
  const shown = server.state === "active" ? result : undefined;
  const itself = [shown?.serverName, shown?.serverVersion].filter(Boolean).join(" ");
  return (
    <p class="server-subtitle">
      <WholeAddress key={server.id} server={server} />
      {itself !== "" && (
        <span>
          {texts.server.says} <Untrusted text={itself} />
        </span>
      )}
      {shown && (
        <span>
          <Untrusted text={texts.server.protocol(shown.protocolVersion)} />
        </span>
      )}
    </p>
  );
}

function PausedBody({ server }: { server: ServerSummary }) {
  const { server: texts, servers, activate } = messages.value;
  return (
    <Empty
      icon="circlePause"
      title={texts.pausedTitle}
      actions={
        <>
          <Button kind="primary" icon="plug" onClick={() => (openDialog.value = { kind: "activate", id: server.id })}>
            {servers.actions.activate}
          </Button>
          {server.pauseUnsaved && (
            <Button kind="plain" onClick={() => void pause(server.id, visible(server.displayName))}>
              {activate.pauseAgain}
            </Button>
          )}
        </>
      }
    >
      <p>{texts.pausedText}</p>
      {server.pauseUnsaved && <p role="status">{texts.pauseUnsaved}</p>}
    </Empty>
  );
}

interface ActiveProps {
  server: ServerSummary;
  catalog: CatalogState;
  scroller: { current: HTMLDivElement | null };
}

function ActiveBody({ server, catalog, scroller }: ActiveProps) {
  const { server: texts, common, servers } = messages.value;
  const { reading, result, problem } = catalog;
  const { lastFailure, id } = server;
  const remedies = (
    <>
      <Button icon="refresh" onClick={() => void refreshTools(server)}>
        {common.retry}
      </Button>
      <Button icon="pencil" onClick={() => (openDialog.value = { kind: "edit", id })}>
        {servers.actions.edit}
      </Button>
    </>
  );

  if (!result) {
    if (reading) {
      return (
        <Empty icon="spinner" title={texts.readingTitle}>
          <p role="status">{texts.readingText}</p>
        </Empty>
      );
    }
    if (problem) return <ProblemBox problem={problem} title={texts.readFailed} actions={remedies} />;
    if (lastFailure && server.toolCount === undefined) {
      return (
        <Box tone="error" title={<Failed title={texts.readFailed} ms={lastFailure.atMs} />} actions={remedies}>
          <DiagnosticLine diagnostic={lastFailure} />
        </Box>
      );
    }
    return (
      <Empty
        icon="list"
        title={texts.unreadTitle}
        actions={
          <Button kind="primary" icon="refresh" onClick={() => void readTools(id, "discover")}>
            {texts.readTools}
          </Button>
        }
      >
        <p>{texts.unreadText}</p>
      </Empty>
    );
  }

  return (
    <>
      {reading === "refresh" && (
        <p class="refresh-hint" role="status">
          {texts.refreshingText}
        </p>
      )}
      {problem ? (
        <ProblemBox tone="warning" problem={problem} title={texts.refreshFailed} actions={remedies}>
          <p>{texts.readBefore}</p>
        </ProblemBox>
      ) : (
        lastFailure &&
        !reading && (
          <Box tone="warning" title={<Failed title={texts.refreshFailed} ms={lastFailure.atMs} />} actions={remedies}>
            <p>{codeLine(lastFailure.code)}</p>
            <p>{texts.readBefore}</p>
          </Box>
        )
      )}
      <DiscoveryNotes diagnostics={result.diagnostics} />
      <StaleTools id={id} stale={result.staleTools} />
      <StaleDescriptions server={server} stale={result.staleOverrides} />
      <ToolList id={id} result={result} scroller={scroller} />
    </>
  );
}

/** A headline with when it happened. */
function Failed({ title, ms }: { title: string; ms: number }) {
  return (
    <>
      {title}
      <span class="when">
        {" · "}
        <RelativeTime ms={ms} />
      </span>
    </>
  );
}
