// "Activate and connect": the exact endpoint or command, what is sent or run, and then, in one go, activation and the
// first reading of the tools.

import { useEffect, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "../../bridge/problem";
import { checkServer } from "../../core";
import type { Diagnostic, EditableConfig, ServerConfig } from "../../generated/types";
import { codeLine, messages } from "../../i18n";
import { gapAfter } from "../../i18n/sentences";
import { hostSpeaks } from "../../state/bridge";
import { catalogOf, readTools } from "../../state/catalogs";
import { closeDialog, openDialog } from "../../state/dialogs";
import { say } from "../../state/notices";
import { aboutState, activateServer, readConfig, serverById, servers } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Spinner } from "../../ui/icon";
import { Box, ProblemBox } from "../../ui/notice";
import { editWords } from "../config/edit-words";
import { pause } from "../servers/server-actions";

type Phase =
  | { at: "loading" }
  | { at: "unreadable"; problem: Problem }
  | { at: "look"; shown: EditableConfig; conflict?: boolean; problem?: Problem }
  | { at: "working"; shown: EditableConfig; step: "activating" | "connecting" }
  | { at: "unread"; shown: EditableConfig; problem: Problem };

export function ActivateDialog({ id }: { id: string }) {
  const { activate, common, add } = messages.value;
  const [phase, setPhase] = useState<Phase>({ at: "loading" });
  const name = visible(serverById(id)?.displayName ?? ("shown" in phase ? phase.shown.displayName : ""));

  const load = async (conflict = false) => {
    setPhase({ at: "loading" });
    try {
      setPhase({ at: "look", shown: await readConfig(id, true), conflict });
    } catch (error) {
      setPhase({ at: "unreadable", problem: problemOf(error) });
    }
  };
  useEffect(() => void load(), [id]);

  const connect = async (shown: EditableConfig) => {
    setPhase({ at: "working", shown, step: "connecting" });
    const { result, problem } = await readTools(id, "refresh");
    if (problem) {
      setPhase({ at: "unread", shown, problem });
      return;
    }
    say(messages.value.activate.done(visible(shown.displayName), result?.tools.length ?? 0), {
      about: aboutState(id),
      undo: () => void pause(id, visible(shown.displayName)),
    });
    const open = openDialog.peek();
    if (open?.kind === "activate" && open.id === id) closeDialog();
  };

  const start = async (shown: EditableConfig) => {
    setPhase({ at: "working", shown, step: "activating" });
    try {
      await activateServer(id, shown.revision);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.kind === "refused" && problem.refusal.code === "mcp.config_conflict") await load(true);
      else setPhase({ at: "look", shown, problem });
      return;
    }
    await connect(shown);
  };

  const pauseAgain = () => {
    closeDialog();
    void pause(id, name);
  };

  // What comes of it stands below what was looked at, which can fill the window.
  const news = useRef<HTMLDivElement>(null);
  useEffect(() => news.current?.scrollIntoView({ block: "nearest" }), [phase]);

  const transport = "shown" in phase ? phase.shown.config.type : "http";
  const unavailable = !hostSpeaks(transport);
  const reading = catalogOf(id).value.reading;
  const connecting = (phase.at === "working" && phase.step === "connecting") || reading !== undefined;
  const progress = connecting ? activate.progressConnecting : activate.progressActivating;

  return (
    <Dialog
      title={activate.title(name)}
      reading
      onClose={closeDialog}
      actions={
        phase.at === "unread" ? (
          <>
            <Button kind="plain" onClick={pauseAgain}>
              {activate.pauseAgain}
            </Button>
            <Button kind="plain" onClick={closeDialog}>
              {activate.keep}
            </Button>
            <Button kind="primary" icon="refresh" onClick={() => void connect(phase.shown)}>
              {activate.again}
            </Button>
          </>
        ) : (
          <>
            <Button kind="plain" onClick={closeDialog}>
              {phase.at === "working" ? common.close : common.cancel}
            </Button>
            {phase.at === "unreadable" ? (
              <Button kind="primary" icon="refresh" onClick={() => void load()}>
                {common.retry}
              </Button>
            ) : (
              <Button
                kind="primary"
                icon="plug"
                busy={phase.at === "working"}
                disabled={phase.at === "loading" || unavailable}
                onClick={() => phase.at === "look" && void start(phase.shown)}
              >
                {activate.button}
              </Button>
            )}
          </>
        )
      }
    >
      <div class="activate">
        {phase.at === "loading" && (
          <p class="progress" role="status">
            <Spinner /> {activate.loading}
          </p>
        )}
        {phase.at === "unreadable" && <ProblemBox problem={phase.problem} />}
        {phase.at === "look" && phase.conflict && (
          <Box tone="warning">
            <p>{activate.conflict}</p>
          </Box>
        )}
        {"shown" in phase && <Exact config={phase.shown.config} displayName={phase.shown.displayName} id={id} />}
        {unavailable && (
          <Box tone="warning" title={add.stdioUnavailableTitle}>
            <p>{add.stdioUnavailable}</p>
          </Box>
        )}
        <div ref={news} class="activate-news">
          {phase.at === "look" && phase.problem && <ProblemBox problem={phase.problem} />}
          {phase.at === "unread" && (
            <ProblemBox
              problem={phase.problem}
              title={activate.failed}
              actions={
                <Button icon="pencil" onClick={() => (openDialog.value = { kind: "edit", id })}>
                  {messages.value.servers.actions.edit}
                </Button>
              }
            />
          )}
          {phase.at === "working" && (
            <p class="progress" role="status">
              <Spinner />
              <span>
                {progress}
                {gapAfter(progress)}
                <span class="muted">{activate.closeMeanwhile}</span>
              </span>
            </p>
          )}
        </div>
      </div>
    </Dialog>
  );
}

interface ExactProps {
  config: ServerConfig;
  displayName: string;
  id: string;
}

/** What will be reached or run, whole. Values of headers and variables are covered until the person asks for them. */
function Exact({ config, displayName, id }: ExactProps) {
  const { activate, add, server } = messages.value;
  const [revealed, setRevealed] = useState(false);
  const others = servers.value.filter((server) => server.id !== id).map((server) => server.displayName);
  const warnings: readonly Diagnostic[] = checkServer(displayName, config, others)?.warnings ?? [];
  const http = config.type === "http";
  const values = Object.entries(http ? config.headers : config.env);
  return (
    <>
      {config.type === "http" ? (
        <section>
          <h3>{activate.endpoint}</h3>
          <p class="exact">
            <Untrusted text={config.url} />
          </p>
        </section>
      ) : (
        <section>
          <h3>{activate.command}</h3>
          <ol class="exact">
            {[config.command, ...config.args].map((part, index) => (
              <li key={index}>
                <Untrusted text={part} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {config.type === "stdio" && config.cwd !== undefined && (
        <section>
          <h3>{add.cwd}</h3>
          <p class="exact">
            <Untrusted text={config.cwd} />
          </p>
        </section>
      )}
      {warnings.length > 0 && (
        <Box tone="warning" title={activate.warnings}>
          <ul class="bullets">
            {warnings.map((warning, index) => (
              <li key={index}>{codeLine(warning.code)}</li>
            ))}
          </ul>
        </Box>
      )}
      <section>
        <h3>{http ? activate.headers : activate.env}</h3>
        {values.length === 0 ? (
          <p>{http ? activate.noHeaders : activate.noEnv}</p>
        ) : (
          <>
            <ul class="name-list">
              {values.map(([name, value]) => (
                <li key={name}>
                  <code>
                    <Untrusted text={revealed ? `${name}${http ? ": " : "="}${value}` : name} />
                  </code>
                </li>
              ))}
            </ul>
            <button type="button" class="link" aria-expanded={revealed} onClick={() => setRevealed(!revealed)}>
              {revealed ? server.hideAddress : editWords.value.reveal}
            </button>
          </>
        )}
      </section>
      <section>
        <h3>{http ? activate.whatTitle : activate.mayTitle}</h3>
        <p>{http ? activate.whatHttp : activate.whatStdio}</p>
      </section>
    </>
  );
}
