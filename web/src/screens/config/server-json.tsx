// A server as JSON, for adding and editing: the editor, the name where the text has none, the check, and what can be pasted.

import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import type { JsonEditor } from "../../editor/json-editor";
import { messages } from "../../i18n";
import { CopyButton } from "../../ui/copy-button";
import { Field } from "../../ui/field";
import { JsonField } from "../../ui/json-field";
import { CheckPanel, type Check, type CheckWords } from "./check-panel";
import { EXAMPLE_HTTP, EXAMPLE_STDIO, SHAPE_ONE } from "./examples";
import { useMarks } from "./marks";

interface Props {
  json: string;
  /** The name for a text that has none. */
  name: string;
  check: Check;
  attempted: boolean;
  words: CheckWords & { nameMissing: string };
  onJson(json: string): void;
  onName(name: string): void;
  /** Stands above the check. */
  children?: ComponentChildren;
}

export function ServerJson({ json, name, check, attempted, words, onJson, onName, children }: Props) {
  const { add } = messages.value;
  const editor = useRef<Pick<JsonEditor, "goTo"> | null>(null);
  const hintId = useId();
  const empty = json.trim() === "";

  const { errors, notes } = check;
  const marks = useMarks(empty ? [] : errors, empty ? [] : notes);

  return (
    <div class="add-main add-json">
      <div class="json-column">
        <JsonField
          label={add.jsonLabel}
          hint={SHAPE_ONE}
          describedBy={hintId}
          value={json}
          marks={marks}
          onChange={onJson}
          editorRef={editor}
        />
        {check.nameMissing && (
          <Field
            label={add.name}
            hint={words.nameMissing}
            error={
              attempted && name.trim() === ""
                ? { code: "mcp.display_name_empty", message: "" }
                : check.errors.find((error) => error.path === "displayName")
            }
          >
            {(attributes) => (
              <input
                {...attributes}
                value={name}
                placeholder={add.namePlaceholder}
                autocomplete="off"
                onInput={(event) => onName(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
      </div>
      <div class="json-side">
        {children}
        <CheckPanel
          words={words}
          check={check}
          empty={empty && !attempted}
          onGoTo={(line, column) => editor.current?.goTo(line, column)}
        />
        <section class="format-hint">
          <h2>{add.hintTitle}</h2>
          <p id={hintId}>{add.hint}</p>
          <Example title={add.exampleHttp} text={EXAMPLE_HTTP} />
          <Example title={add.exampleStdio} text={EXAMPLE_STDIO} />
        </section>
      </div>
    </div>
  );
}

export function Example({ title, text }: { title: string; text: string }) {
  return (
    <details class="disclosure">
      <summary>{title}</summary>
      <p class="hint">{messages.value.add.examplesNote}</p>
      <div class="example">
        <pre tabIndex={0}>{text}</pre>
        <CopyButton text={text} />
      </div>
    </details>
  );
}
