// What became of a run, in words: the server answered, nothing was sent, or nobody knows. It stays until the next run.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { CallFailure, CallOutcome, ServerSummary } from "../../generated/types";
import { explain, inOneLine, messages } from "../../i18n";
import { openDialog } from "../../state/dialogs";
import type { Run } from "../../state/test-calls";
import { Sentence } from "../../text/sentence";
import { Untrusted } from "../../text/untrusted";
import { Button } from "../../ui/button";
import { Icon, type IconName } from "../../ui/icon";
import { Detail } from "../../ui/notice";
import { refreshTools } from "../servers/server-actions";
import { ModelText, ServerErrorData, ToolResultViews } from "./result";
import { words } from "./words";

interface Props {
  run: Run & { outcome: CallOutcome };
  server: ServerSummary;
  /** Takes the focus: the run ended while the person waited for it. */
  focus: boolean;
  /** The arguments have been changed since. */
  outdated: boolean;
}

type Tone = "success" | "warning" | "error";

export function Outcome({ run, server, focus, outdated }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!focus) return;
    heading.current?.focus({ preventScroll: true });
    // All of the answer, or as much of it from its start as there is room for.
    heading.current?.closest("section")?.scrollIntoView({ block: "nearest" });
  }, [run.endedAt]);
  const { tone, icon, body } = described(run, server);
  const took = run.endedAt === undefined ? undefined : run.endedAt - run.startedAt;
  return (
    <section class={`outcome ${tone}`} aria-labelledby="call-outcome">
      <header>
        <Icon name={icon} size={20} />
        <h2 id="call-outcome" tabIndex={-1} ref={heading}>
          {outcomeTitle(run.outcome)}
        </h2>
        {took !== undefined && (
          <time class="muted" title={new Date(run.startedAt).toLocaleString(messages.value.locale)}>
            {words.value.took(took)}
          </time>
        )}
      </header>
      {outdated && <p class="muted">{words.value.otherArguments}</p>}
      {body}
    </section>
  );
}

/** The outcome in a few words. */
export function outcomeTitle(outcome: CallOutcome): string {
  const texts = words.value;
  if (outcome.outcome === "not_sent") return texts.notSentTitle;
  if (outcome.outcome === "outcome_unknown") return texts.unknownTitle;
  const { response } = outcome;
  switch (response.kind) {
    case "tool_result":
      return response.isError ? texts.toolFailed : texts.success;
    case "server_error":
      return texts.serverError;
    case "unsupported_response":
      return texts.unsupported[response.responseType];
  }
}

interface Described {
  tone: Tone;
  icon: IconName;
  body: ComponentChildren;
}

function described({ outcome, stopped }: Props["run"], server: ServerSummary): Described {
  const texts = words.value;
  switch (outcome.outcome) {
    case "not_sent":
      return {
        tone: "warning",
        icon: "circleOff",
        body: (
          <>
            <NotSent failure={outcome} />
            <Remedy failure={outcome} server={server} />
            <ModelText outcome={outcome} />
          </>
        ),
      };
    case "outcome_unknown":
      return {
        tone: "warning",
        icon: "triangleAlert",
        body: (
          <>
            <Unknown failure={outcome} stopped={stopped} />
            <ModelText outcome={outcome} />
          </>
        ),
      };
  }
  const { response } = outcome;
  switch (response.kind) {
    case "tool_result":
      return {
        tone: response.isError ? "error" : "success",
        icon: response.isError ? "circleAlert" : "circleCheck",
        body: (
          <>
            {response.isError && <p class="muted">{texts.toolFailedText}</p>}
            <ToolResultViews outcome={outcome} result={response} />
          </>
        ),
      };
    case "server_error":
      return {
        tone: "error",
        icon: "circleAlert",
        body: (
          <>
            <p>
              <Untrusted text={response.message} lines />{" "}
              <span class="muted">{texts.serverErrorCode(response.code)}</span>
            </p>
            <ServerErrorData json={response.dataJson} />
            <ModelText outcome={outcome} />
          </>
        ),
      };
    case "unsupported_response":
      return {
        tone: "warning",
        icon: "info",
        body: (
          <>
            <p>{texts.unsupportedText[response.responseType]}</p>
            {/* Of the other two, ours say the same. */}
            {response.responseType === "other" && <Detail text={response.message} path={undefined} />}
            <ModelText outcome={outcome} />
          </>
        ),
      };
  }
}

/** Why nothing was sent, and what to do: the host's sentence where it speaks the person's language, else ours. */
function NotSent({ failure }: { failure: CallFailure }) {
  const { what, next, detail } = explain(failure);
  const why = next !== "" && next === failure.message ? next : inOneLine(what, next);
  return <Why failure={failure} sentences={[words.value.notSentWhy(why)]} detail={detail} />;
}

/** Why there is no answer, and what to do. */
function Unknown({ failure, stopped }: { failure: CallFailure; stopped: boolean }) {
  const texts = words.value;
  const { what, next, detail } = explain(failure);
  const hostSays = next !== "" && next === failure.message ? next : (texts.unknownWhy[failure.code] ?? what);
  // The same code where its server was paused, changed or removed meanwhile.
  const byPerson = stopped && failure.code === "mcp.call_cancelled";
  return (
    <Why
      failure={failure}
      sentences={[byPerson ? texts.stopped : hostSays, texts.unknownNext]}
      detail={byPerson ? "" : detail}
    />
  );
}

interface WhyProps {
  failure: CallFailure;
  sentences: readonly string[];
  detail: string;
}

function Why({ failure, sentences, detail }: WhyProps) {
  return (
    <div class="outcome-why">
      {sentences.map((sentence) => (
        <p key={sentence}>
          <Sentence text={sentence} />
        </p>
      ))}
      <Detail text={detail} path={undefined} />
      <p class="hint">
        <code>{failure.code}</code>
      </p>
    </div>
  );
}

/** What can be done from here. */
function Remedy({ failure, server }: { failure: CallFailure; server: ServerSummary }) {
  const texts = messages.value;
  switch (failure.code) {
    case "mcp.call_server_paused":
      return (
        <Button icon="plug" onClick={() => (openDialog.value = { kind: "activate", id: server.id })}>
          {texts.servers.actions.activate}
        </Button>
      );
    case "mcp.call_tool_unavailable":
    case "mcp.call_metadata_failed":
    case "mcp.call_initialize_failed":
      return (
        <Button icon="refresh" onClick={() => void refreshTools(server)}>
          {words.value.refresh}
        </Button>
      );
    default:
      return null;
  }
}
