// A result in three ways: the text as the tool gave it, the structured content as JSON, and what a model reads. Nothing of
// it is loaded from anywhere; what is no text is named with its kind and size.

import { useMemo, useState } from "preact/hooks";
import { prettyJson } from "../../core";
import { loadSchema, readOutcome, schemaState } from "../../core/schema";
import type { CallOutcome, ContentDiagnostic, ToolResult } from "../../generated/types";
import { explain, messages } from "../../i18n";
import { gapAfter } from "../../i18n/sentences";
import { parseJson } from "../../text/json";
import { Sentence } from "../../text/sentence";
import { panelAttributes, Tabs } from "../../ui/tabs";
import { LongText } from "./long-text";
import { words } from "./words";

type View = "text" | "json" | "model";

/** Longer texts are not looked at for being JSON. */
const LAID_OUT_CHARS = 1_000_000;

export function ToolResultViews({ outcome, result }: { outcome: CallOutcome; result: ToolResult }) {
  const texts = words.value;
  const hasText = result.textBlocks.length > 0;
  const [view, setView] = useState<View>(hasText || result.structuredJson === undefined ? "text" : "json");
  return (
    <>
      <Notes diagnostics={result.diagnostics} />
      <Tabs
        label={texts.resultViews}
        id="call-result"
        tab={view}
        tabs={[
          ["text", texts.text],
          ["json", texts.json],
          ["model", texts.model],
        ]}
        onChange={(view) => setView(view)}
      />
      <div class="result-view" {...panelAttributes("call-result", view)}>
        {view === "text" && <Texts result={result} />}
        {view === "json" && <Json result={result} />}
        {view === "model" && <Model outcome={outcome} />}
      </div>
    </>
  );
}

function Notes({ diagnostics }: { diagnostics: readonly ContentDiagnostic[] }) {
  if (diagnostics.length === 0) return null;
  return (
    <div class="result-notes">
      <h3>{words.value.notes}</h3>
      <ul>
        {diagnostics.map((diagnostic, index) => (
          <li key={index}>
            <Note diagnostic={diagnostic} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What it was that is not shown: the host's sentence alone says it, so it stands here in any language. */
function Note({ diagnostic }: { diagnostic: ContentDiagnostic }) {
  const { next, detail } = explain(diagnostic);
  if (detail === "") return <Sentence text={next} />;
  return (
    <span lang="en">
      <Sentence text={detail} />
    </span>
  );
}

function Texts({ result }: { result: ToolResult }) {
  const texts = words.value;
  if (result.textBlocks.length === 0) return <p class="muted">{texts.noText}</p>;
  return (
    <>
      {result.textBlocks.map(({ index, text }) => (
        <LongText
          key={index}
          text={text}
          label={result.textBlocks.length === 1 ? texts.text : `${texts.text} ${index + 1}`}
        />
      ))}
    </>
  );
}

function Json({ result }: { result: ToolResult }) {
  const texts = words.value;
  const { structuredJson, textBlocks } = result;
  const [only, more] = textBlocks;
  const ofText = useMemo(() => {
    if (structuredJson !== undefined || !only || more || only.text.length > LAID_OUT_CHARS) return undefined;
    const value = parseJson(only.text);
    return typeof value === "object" && value !== null ? prettyJson(only.text) : undefined;
  }, [structuredJson, only?.text, more]);
  if (structuredJson !== undefined) return <LongText code text={prettyJson(structuredJson)} label={texts.json} />;
  if (ofText === undefined) return <p class="muted">{texts.noJson}</p>;
  return (
    <>
      <p class="hint">{texts.jsonOfText}</p>
      <LongText code text={ofText} label={texts.json} />
    </>
  );
}

/** What a model would read of the outcome, opened on demand: for outcomes that have no views of their own. */
export function ModelText({ outcome }: { outcome: CallOutcome }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.value.model}</summary>
      {open && <Model outcome={outcome} />}
    </details>
  );
}

function Model({ outcome }: { outcome: CallOutcome }) {
  const texts = words.value;
  const state = schemaState.value;
  const read = useMemo(
    () => (state === "ready" ? readOutcome(JSON.stringify(outcome)) : undefined),
    [state === "ready", outcome],
  );
  if (!read) {
    if (state !== "failed") return <p class="muted">{texts.modelLoading}</p>;
    return (
      <p class="muted">
        {texts.modelFailed}
        {gapAfter(texts.modelFailed)}
        <button type="button" class="link" onClick={loadSchema}>
          {messages.value.common.retry}
        </button>
      </p>
    );
  }
  if (read.unknown !== null) return <p class="muted">{texts.modelUnknown}</p>;
  if (read.result === null) return <p class="muted">{texts.modelFailed}</p>;
  return (
    <>
      {read.result.isError && <p class="hint">{texts.modelError}</p>}
      <LongText code text={read.result.content} label={texts.model} />
    </>
  );
}

export function ServerErrorData({ json }: { json: string | undefined }) {
  if (json === undefined) return null;
  return <LongText code text={prettyJson(json)} label={words.value.json} />;
}
