// One place of the form: its name, what the schema says of it, its field, and what does not fit.

import { useId } from "preact/hooks";
import type { FormNode } from "../../core/schema";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button, IconButton } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { useEditing } from "./editing";
import { Control } from "./form-controls";
import { words } from "./words";

interface Props {
  node: FormNode;
  /** What a screen reader calls it; items of lists have no name of their own. */
  label: string;
  /** The number of an item of a list. */
  index?: number;
  onRemoved?: () => void;
}

export function Place({ node, label, index, onRemoved }: Props) {
  const id = useId();
  const editing = useEditing();
  const texts = words.value;
  const warnings = editing.warningsAt(node.path);
  const isGroup = node.control.kind === "object" || node.control.kind === "list";
  const about = [
    node.description !== undefined && `${id}-about`,
    `${id}-hint`,
    warnings.length > 0 && `${id}-warn`,
  ].filter(Boolean);
  const remove = () => {
    editing.remove(node.path);
    onRemoved?.();
  };
  const head = (
    <>
      {index !== undefined ? (
        <span class="arg-index">{texts.item(index)}</span>
      ) : (
        <code class="arg-name">
          <Untrusted text={node.name ?? ""} />
        </code>
      )}
      {node.title !== undefined && node.title !== node.name && (
        <span class="arg-title">
          <Untrusted text={node.title} />
        </span>
      )}
      {node.required && <span class="arg-required">{texts.required}</span>}
    </>
  );
  const misfits = warnings.length > 0 && (
    <ul class="arg-warnings" id={`${id}-warn`}>
      {warnings.map(({ keyword, expected, message }, at) => (
        <li key={at} title={visible(message)}>
          <Icon name="triangleAlert" size={14} />
          <Untrusted text={texts.warning(keyword, expected ?? "")} />
        </li>
      ))}
    </ul>
  );
  return (
    <div
      class={`arg ${isGroup ? "group" : ""} ${node.present ? "present" : "absent"}`}
      role={isGroup ? "group" : undefined}
      aria-labelledby={isGroup ? `${id}-name` : undefined}
      data-path={node.path}
    >
      <div class="arg-head">
        {isGroup ? (
          <span id={`${id}-name`} class="arg-label">
            {head}
          </span>
        ) : (
          <label for={id} class="arg-label">
            {head}
          </label>
        )}
        <span class="arg-tools">
          <Alternatives node={node} label={label} />
          {node.present && (index !== undefined || node.control.kind !== "options") && (
            <IconButton
              icon="x"
              label={index === undefined ? texts.dontSend(label) : texts.removeItem(index, label)}
              onClick={remove}
            />
          )}
        </span>
      </div>
      {node.description !== undefined && (
        <p class="arg-about" id={`${id}-about`}>
          <Untrusted text={node.description} lines />
        </p>
      )}
      {isGroup && misfits}
      <Control node={node} id={id} label={label} describedBy={about.join(" ")} />
      <Hints node={node} id={`${id}-hint`} label={label} />
      {!isGroup && misfits}
    </div>
  );
}

/** The same for the arguments as a whole. */
export function RootAlternatives({ node }: { node: FormNode }) {
  return <Alternatives node={node} label={words.value.wholeName} />;
}

/** Which of several kinds of value it is. */
function Alternatives({ node, label }: { node: FormNode; label: string }) {
  const editing = useEditing();
  const texts = words.value;
  if (node.alternatives.length < 2) return null;
  return (
    <select
      class="arg-kind"
      aria-label={texts.kind(label)}
      value={node.chosen === undefined ? "" : String(node.chosen)}
      onChange={(event) => {
        const chosen = Number(event.currentTarget.value);
        if (event.currentTarget.value !== "") editing.choose(node.path, chosen);
      }}
    >
      {node.chosen === undefined && <option value="">{texts.choose}</option>}
      {node.alternatives.map(({ shape, label: name }, at) => (
        <option key={at} value={String(at)}>
          {shape === "null" || name === undefined ? texts.shapes[shape] : visible(name)}
        </option>
      ))}
    </select>
  );
}

/** Bounds, default, example, and what is odd about the value. */
function Hints({ node, id, label }: { node: FormNode; id: string; label: string }) {
  const editing = useEditing();
  const texts = words.value;
  const { control } = node;
  const bounds = node.hints
    .map(({ keyword, value }) => texts.hints[keyword]?.(value))
    .filter((text) => text !== undefined);
  if (control.kind === "number" && control.integer) bounds.unshift(texts.integer);
  const isDefault = node.defaultJson !== undefined && node.present && shown(node) === node.defaultJson;
  return (
    <div class="arg-hints" id={id}>
      {bounds.length > 0 && (
        <p>
          <Untrusted text={bounds.join(" · ")} />
        </p>
      )}
      {node.defaultJson !== undefined && !isDefault && (
        <p>
          {texts.defaultIs}{" "}
          <code>
            <Untrusted text={shortened(node.defaultJson)} />
          </code>{" "}
          <button
            type="button"
            class="link"
            aria-label={texts.useDefaultOf(label)}
            onClick={() => editing.set(node.path, node.defaultJson ?? "null")}
          >
            {texts.useDefault}
          </button>
        </p>
      )}
      {node.exampleJson !== undefined && !node.present && (
        <p>
          {texts.example}{" "}
          <code>
            <Untrusted text={shortened(node.exampleJson)} />
          </code>
        </p>
      )}
      {node.unfittingJson !== undefined && control.kind !== "number" && (
        <p>
          {texts.unfitting}{" "}
          <code>
            <Untrusted text={node.unfittingJson} />
          </code>
        </p>
      )}
      {!node.known && <p>{node.path.lastIndexOf("/") === 0 ? texts.unknownArgument : texts.unknown}</p>}
      {control.kind === "text" && control.text === "" && <p>{texts.emptyText}</p>}
      {control.kind === "json" && <p>{texts.jsonOnly[control.reason]}</p>}
      {control.kind === "json" && (
        <Button kind="quiet" icon="pencil" onClick={() => editing.goTo(node.path)}>
          {texts.editInJson}
        </Button>
      )}
      {node.moreRules && <p>{texts.moreRules}</p>}
    </div>
  );
}

/** A value of one line as JSON, to compare it with a default. */
function shown({ control }: FormNode): string | undefined {
  switch (control.kind) {
    case "text":
      return control.text === undefined ? undefined : JSON.stringify(control.text);
    case "number":
      return control.text;
    case "options":
      return control.selected === undefined ? undefined : control.options[control.selected]?.json;
    case "null":
      return "null";
    default:
      return undefined;
  }
}

const SHOWN_CHARS = 120;

function shortened(json: string): string {
  return json.length > SHOWN_CHARS ? `${json.slice(0, SHOWN_CHARS)}…` : json;
}
