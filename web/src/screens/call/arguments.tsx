// The arguments of a test call, as a form and as JSON: beside each other where there is room, else one at a time. Both are
// views of one JSON text, so nothing is lost between them. What does not fit the schema is told, and blocks nothing.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { prettyJson } from "../../core";
import {
  checkArguments,
  loadSchema,
  placeOf,
  schemaState,
  ToolForm,
  type ArgumentsCheck,
  type ArgumentsWarning,
  type FormNode,
} from "../../core/schema";
import type { EditorMark, JsonEditor } from "../../editor/json-editor";
import type { Code, Diagnostic } from "../../generated/types";
import { codeLine } from "../../i18n";
import { gapAfter, sentences } from "../../i18n/sentences";
import { wide } from "../../state/width";
import type { TestCall } from "../../state/test-calls";
import { parseJson } from "../../text/json";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Icon } from "../../ui/icon";
import { JsonField } from "../../ui/json-field";
import { Box } from "../../ui/notice";
import { panelAttributes, Tabs } from "../../ui/tabs";
import { EditingContext, editingOf } from "./editing";
import { Fields, NewMember } from "./form-controls";
import { RootAlternatives } from "./form-place";
import { MOST_NAMED, Warnings } from "./warnings";
import { words } from "./words";

type View = "form" | "json";

interface Reading {
  form: FormNode | null;
  check?: ArgumentsCheck;
  /** Why the text is no JSON object. */
  fault?: Diagnostic;
}

export function Arguments({ call, schema }: { call: TestCall; schema: string }) {
  const texts = words.value;
  const state = schemaState.value;
  const text = call.text.value;
  const choices = call.choices.value;
  const [view, setView] = useState<View>("form");
  const editor = useRef<Pick<JsonEditor, "goTo"> | null>(null);
  useEffect(loadSchema, []);

  const toolForm = useMemo(() => (state === "ready" ? new ToolForm(schema) : undefined), [state === "ready", schema]);
  useEffect(() => () => toolForm?.free(), [toolForm]);
  const reading = useMemo(() => (toolForm ? read(toolForm, text, choices) : undefined), [toolForm, text, choices]);
  // Nobody has to be told what is missing before they began.
  const untouched = text === "{}" && call.run.value === undefined;
  const warnings = useMemo(() => byPath(untouched ? undefined : reading?.check), [reading, untouched]);
  const marks = useMemo(() => marksOf(text, reading, warnings, texts.warning), [text, reading, warnings, texts]);

  const goTo = (line: number, column: number) => {
    setView("json");
    requestAnimationFrame(() => editor.current?.goTo(line, column));
  };
  const goToPath = (path: string) => {
    const place = placeOf(call.text.peek(), path);
    goTo(place?.[0] ?? 1, place?.[1] ?? 1);
  };
  const editing = useMemo(
    () => (toolForm ? editingOf(call, toolForm, warnings, goToPath) : undefined),
    [call, toolForm, warnings],
  );

  const both = wide.value;
  const place = useRef<HTMLDivElement>(null);
  const goToField = (path: string) => {
    const field = place.current?.querySelector<HTMLElement>(
      `[data-path="${CSS.escape(path)}"] :is(input, textarea, select, button:not(.icon-button))`,
    );
    if (!field) return goToPath(path);
    field.scrollIntoView({ block: "center" });
    field.focus({ preventScroll: true });
  };
  const warningsBox = !untouched && reading && (
    <Warnings
      check={reading.check}
      form={reading.form}
      text={text}
      goToField={both || view === "form" ? goToField : undefined}
      goTo={goTo}
    />
  );
  const form = (
    <div class="call-form" ref={place}>
      {state === "failed" ? (
        <Box tone="warning" title={texts.formFailed} actions={<RetryForm />}>
          <p>{texts.formFailedText}</p>
        </Box>
      ) : !reading || !editing ? (
        <p class="muted" role="status">
          {texts.formLoading}
        </p>
      ) : (
        <EditingContext.Provider value={editing}>
          {warningsBox}
          {reading.form ? <Root form={reading.form} /> : <p class="muted">{texts.formWaits}</p>}
        </EditingContext.Provider>
      )}
    </div>
  );
  const json = (
    <div class="call-json">
      <JsonField
        label={texts.jsonLabel}
        hint={texts.jsonHint}
        describedBy="call-json-state"
        value={text}
        marks={marks}
        onChange={(value) => (call.text.value = value)}
        editorRef={editor}
      />
      <div class="call-json-foot">
        <p id="call-json-state" class={reading?.fault ? "field-error" : "hint"}>
          {reading?.fault ? <Fault fault={reading.fault} goTo={goTo} /> : texts.jsonOk}
        </p>
        <span>
          <CopyButton text={text} />
          <Button
            kind="quiet"
            disabled={parseJson(text) === undefined}
            onClick={() => (call.text.value = prettyJson(call.text.peek()))}
          >
            {texts.layOut}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              call.text.value = "{}";
              call.choices.value = {};
            }}
          >
            {texts.reset}
          </Button>
        </span>
      </div>
      {/* Below the editor, so that the line being typed stays where it is. */}
      {!both && warningsBox}
    </div>
  );

  return (
    <section class={both ? "call-arguments both" : "call-arguments"} aria-label={texts.arguments}>
      {both ? (
        <>
          <div>
            <h2>{texts.arguments}</h2>
            {form}
          </div>
          <div>
            <h2>{texts.json}</h2>
            {json}
          </div>
        </>
      ) : (
        <>
          <div class="call-views">
            <h2>{texts.arguments}</h2>
            <Tabs
              label={texts.views}
              id="call-view"
              tab={view}
              tabs={[
                ["form", texts.form],
                ["json", texts.json],
              ]}
              onChange={(view) => setView(view)}
            />
          </div>
          <div {...panelAttributes("call-view", view)}>{view === "form" ? form : json}</div>
        </>
      )}
    </section>
  );
}

function RetryForm() {
  return (
    <Button icon="refresh" onClick={loadSchema}>
      {words.value.retryForm}
    </Button>
  );
}

const TOO_LARGE: Code = "mcp.call_arguments_size_limit";

/** Core's answers. Where it fails, which it must not, the JSON still is there to be edited. */
function read(toolForm: ToolForm, text: string, choices: Readonly<Record<string, number>>): Reading {
  const { error } = checkArguments(text);
  if (error && error.code !== TOO_LARGE) return { form: null, fault: error };
  const fault = error && { fault: error };
  const form = toolForm.read(text, choices);
  try {
    return { form, check: toolForm.check(text), ...fault };
  } catch {
    return { form, ...fault };
  }
}

function byPath(check: ArgumentsCheck | undefined): ReadonlyMap<string, readonly ArgumentsWarning[]> {
  const map = new Map<string, ArgumentsWarning[]>();
  for (const warning of check?.warnings ?? []) {
    const there = map.get(warning.path);
    if (there) there.push(warning);
    else map.set(warning.path, [warning]);
  }
  return map;
}

function marksOf(
  text: string,
  reading: Reading | undefined,
  warnings: ReadonlyMap<string, readonly ArgumentsWarning[]>,
  word: (keyword: string, expected: string) => string,
): EditorMark[] {
  if (reading?.fault) {
    const { line = 1, column = 1 } = reading.fault;
    return [{ line, column, severity: "error", text: codeLine(reading.fault.code) }];
  }
  return [...warnings.values()]
    .flat()
    .slice(0, MOST_NAMED)
    .map(({ path, keyword, expected }) => {
      const [line, column] = placeOf(text, path) ?? [1, 1];
      return { line, column, severity: "warning", text: word(keyword, expected ?? "") };
    });
}

function Fault({ fault, goTo }: { fault: Diagnostic; goTo(line: number, column: number): void }) {
  const texts = words.value;
  const { line, column } = fault;
  const what = fault.code === TOO_LARGE ? texts.jsonLarge : texts.jsonBad;
  const said = sentences(what, fault.reason && texts.jsonFaults[fault.reason.case]);
  return (
    <>
      <Icon name="circleAlert" size={14} />
      <span>
        {said}
        {gapAfter(said)}
        {line !== undefined && column !== undefined && (
          <button type="button" class="link" onClick={() => goTo(line, column)}>
            {texts.goTo(line, column)}
          </button>
        )}
      </span>
    </>
  );
}

function Root({ form }: { form: FormNode }) {
  const texts = words.value;
  const { control } = form;
  if (control.kind !== "object") {
    return <p class="muted">{control.kind === "json" && texts.jsonOnly[control.reason]}</p>;
  }
  return (
    <div class="arg-fields root">
      <RootAlternatives node={form} />
      {form.moreRules && <p class="hint">{texts.moreRules}</p>}
      {control.fields.length === 0 && (
        <p class="muted">{control.newMember === undefined ? texts.noArguments : texts.noNamedArguments}</p>
      )}
      <Fields fields={control.fields} />
      {control.newMember !== undefined && <NewMember node={form} control={control} initial={control.newMember} />}
    </div>
  );
}
