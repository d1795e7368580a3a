// The test call of one tool: its arguments, the run, and what became of it. What is typed and what runs lives in the page's
// state, so another screen may be looked at meanwhile.

import { useEffect, useRef } from "preact/hooks";
import type { ServerSummary, ToolView } from "../../generated/types";
import { messages } from "../../i18n";
import { bridge } from "../../state/bridge";
import { catalogOf, readTools } from "../../state/catalogs";
import { openDialog } from "../../state/dialogs";
import { hrefOf } from "../../state/route";
import { loaded, serverById } from "../../state/servers";
import { testCallOf, type TestCall } from "../../state/test-calls";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/empty";
import { Icon } from "../../ui/icon";
import { Box, ProblemBox } from "../../ui/notice";
import { Arguments } from "./arguments";
import { Outcome, outcomeTitle } from "./outcome";
import { RecentArguments, RunBar } from "./run-bar";
import { words } from "./words";

export function CallScreen({ id, tool }: { id: string; tool: string }) {
  const server = serverById(id);
  const { common, server: texts, servers } = messages.value;
  if (server) return <KnownServer server={server} toolName={tool} />;
  if (!loaded.value.list) return loaded.value.problem ? null : <Empty icon="spinner" title={servers.loading} />;
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

function KnownServer({ server, toolName }: { server: ServerSummary; toolName: string }) {
  const texts = words.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const catalog = catalogOf(server.id).value;
  const { id } = server;
  const active = server.state === "active";
  const tool = catalog.result?.tools.find((one) => one.nativeName === toolName);
  const call = testCallOf(bridge, id, toolName);

  // What led here is gone from the screen, and the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${texts.title(visible(toolName))} · ${messages.value.app}`;
  }, [toolName, texts]);

  // What the host has saved is shown without asking; it takes no connection.
  const untouched = !catalog.reading && !catalog.result && !catalog.problem;
  useEffect(() => {
    if (active && server.toolCount !== undefined && untouched) void readTools(id, "discover");
  }, [id, active, untouched, server.toolCount]);

  return (
    <div class="server-pane call-pane">
      <header class="server-head">
        <a class="back always" href={hrefOf({ serverId: id, toolName })}>
          <Icon name="arrowLeft" size={18} />
          <span>{texts.back(visible(server.displayName))}</span>
        </a>
        <h1 tabIndex={-1} data-focus-fallback ref={heading}>
          <Untrusted text={texts.title(toolName)} />
        </h1>
        {tool && <p class="call-lead">{texts.lead}</p>}
      </header>
      <div class="server-body">
        {!active && <Paused id={id} />}
        {tool ? (
          <Call call={call} tool={tool} server={server} />
        ) : (
          active && <NoTool server={server} toolName={toolName} />
        )}
      </div>
    </div>
  );
}

function Paused({ id }: { id: string }) {
  const texts = words.value;
  return (
    <Box
      tone="warning"
      title={texts.pausedTitle}
      actions={
        <Button kind="primary" icon="plug" onClick={() => (openDialog.value = { kind: "activate", id })}>
          {messages.value.servers.actions.activate}
        </Button>
      }
    >
      <p>{texts.pausedText}</p>
    </Box>
  );
}

/** Why there is no form: the tools are being read, could not be, or this one is not among them. */
function NoTool({ server, toolName }: { server: ServerSummary; toolName: string }) {
  const texts = words.value;
  const { server: serverTexts, common } = messages.value;
  const catalog = catalogOf(server.id).value;
  const read = () => void readTools(server.id, "refresh");
  if (catalog.reading) return <Empty icon="spinner" title={serverTexts.readingTitle} />;
  if (catalog.problem) {
    return (
      <ProblemBox
        problem={catalog.problem}
        title={serverTexts.readFailed}
        actions={
          <Button icon="refresh" onClick={read}>
            {common.retry}
          </Button>
        }
      />
    );
  }
  const isRead = catalog.result !== undefined;
  return (
    <Empty
      icon="list"
      title={isRead ? texts.noToolTitle : texts.unreadTitle}
      actions={
        <Button kind="primary" icon="refresh" onClick={read}>
          {isRead ? texts.refresh : texts.readTools}
        </Button>
      }
    >
      <p>
        <Untrusted text={isRead ? texts.noToolText(toolName) : texts.unreadText} />
      </p>
    </Empty>
  );
}

interface CallProps {
  call: TestCall;
  tool: ToolView;
  server: ServerSummary;
}

function Call({ call, tool, server }: CallProps) {
  const texts = words.value;
  const run = call.run.value;
  /** The arguments of the run that was started on this screen: whoever has typed on since is left where they are. */
  const waitingFor = useRef<string | undefined>(undefined);
  const start = () => {
    waitingFor.current = call.text.peek();
    void call.start();
  };
  const description = tool.override?.description || tool.description;
  return (
    <div
      class="call"
      // Before the editor, for which the same keys are a line break.
      onKeyDownCapture={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.stopPropagation();
        if (!call.isRunning) start();
      }}
    >
      {description && (
        <details class="disclosure call-about">
          <summary>{texts.describes}</summary>
          <p class="prose">
            <Untrusted text={description} lines />
          </p>
        </details>
      )}
      <Arguments key={tool.id} call={call} schema={tool.inputSchemaJson} />
      <RecentArguments call={call} />
      <RunBar call={call} onRun={start} />
      <div role="status" class="visually-hidden">
        {run?.outcome && outcomeTitle(run.outcome)}
      </div>
      {run?.outcome && (
        <Outcome
          key={run.startedAt}
          run={{ ...run, outcome: run.outcome }}
          server={server}
          outdated={call.text.value !== run.argumentsJson}
          focus={waitingFor.current !== undefined && waitingFor.current === call.text.peek()}
        />
      )}
    </div>
  );
}
