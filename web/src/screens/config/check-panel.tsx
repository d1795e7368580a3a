// What core says about a draft: what has to be fixed, what to look at, what was read differently or not used, and what
// would be added.

import type { Diagnostic, ServerConfig } from "../../generated/types";
import { messages } from "../../i18n";
import { Untrusted } from "../../text/untrusted";
import { Icon, type IconName } from "../../ui/icon";
import { Detail } from "../../ui/notice";
import { explainReason } from "./reasons";
import { words as fieldTexts } from "./words";

export interface Check {
  errors: readonly Diagnostic[];
  notes: readonly Diagnostic[];
  warnings: readonly Diagnostic[];
  config?: ServerConfig;
  displayName?: string;
  /** The text gives no name; the person is asked for one. */
  nameMissing?: boolean;
}

/** The words for a draft without errors. */
export interface CheckWords {
  checkEmpty: string;
  checkOk: string;
  willAdd: string;
}

interface Props {
  check: Check;
  words: CheckWords;
  /** Nothing was typed yet. */
  empty: boolean;
  onGoTo?(line: number, column: number): void;
}

export function CheckPanel({ check, words, empty, onGoTo }: Props) {
  const { add } = messages.value;
  const { errors, warnings, notes, config } = check;
  return (
    <section class="check" aria-label={add.check} aria-live="polite">
      {empty && <p class="check-empty">{words.checkEmpty}</p>}
      {!empty && errors.length > 0 && (
        <CheckList
          icon="circleAlert"
          tone="error"
          title={add.checkErrors(errors.length)}
          items={errors}
          onGoTo={onGoTo}
        />
      )}
      {!empty && errors.length === 0 && config && onGoTo && (
        <>
          <p class="check-title success">
            <Icon name="circleCheck" />
            {words.checkOk}
          </p>
          <Preview label={words.willAdd} config={config} displayName={check.displayName ?? ""} />
        </>
      )}
      {!empty && warnings.length > 0 && (
        <CheckList
          icon="triangleAlert"
          tone="warning"
          title={add.checkWarnings(warnings.length)}
          items={warnings}
          onGoTo={onGoTo}
        />
      )}
      {!empty && notes.length > 0 && (
        <CheckList icon="info" tone="info" title={add.checkNotes(notes.length)} items={notes} onGoTo={onGoTo} />
      )}
    </section>
  );
}

interface ListProps {
  icon: IconName;
  tone: "error" | "warning" | "info";
  title: string;
  items: readonly Diagnostic[];
  onGoTo: ((line: number, column: number) => void) | undefined;
}

export function CheckList({ icon, tone, title, items, onGoTo }: ListProps) {
  const { add, common } = messages.value;
  return (
    <div class="check-group">
      <p class={`check-title ${tone}`}>
        <Icon name={icon} />
        {title}
      </p>
      <ul>
        {items.map((item, index) => {
          // What to look at is the same for every server; what to fix or was passed over has its particulars.
          const { what, next, detail } = explainReason(tone === "warning" ? { ...item, message: "" } : item);
          const { line, column = 1, path } = item;
          // A path in a text is spelled as it is there; one in a configuration is a field of the form.
          const inText = onGoTo !== undefined && tone !== "warning";
          return (
            <li key={index}>
              <div class="check-what">
                <strong>{what}</strong>
                {line !== undefined && onGoTo && (
                  <button
                    type="button"
                    class="link"
                    aria-label={add.goToLine(line, column)}
                    onClick={() => onGoTo(line, column)}
                  >
                    {common.line(line)}
                  </button>
                )}
              </div>
              <p class={tone === "info" ? "detail" : undefined}>
                <Untrusted text={next} />
              </p>
              {!inText && path !== undefined && (
                <p class="detail">
                  <Untrusted text={fieldWords(path)} />
                </p>
              )}
              <Detail text={detail} path={inText ? path : undefined} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** A field of a configuration as the form calls it, and what of it: "Headers: X". */
function fieldWords(path: string): string {
  const { add } = messages.value;
  const [, field = path, part = ""] = /^(\w+)\W*(.*?)\]?$/s.exec(path) ?? [];
  const name = {
    displayName: add.name,
    url: add.endpoint,
    headers: add.headers,
    command: add.command,
    args: add.args,
    env: add.env,
    cwd: add.cwd,
    protocolVersion: add.protocol,
  }[field];
  if (name === undefined) return path;
  // Arguments are counted from 0 there, and by people from 1.
  return part === "" ? name : fieldTexts.value.labelled(name, field === "args" ? String(Number(part) + 1) : part);
}

function Preview({ label, config, displayName }: { label: string; config: ServerConfig; displayName: string }) {
  const { add, servers } = messages.value;
  const names = Object.keys(config.type === "http" ? config.headers : config.env);
  return (
    <dl class="facts" aria-label={label}>
      {displayName !== "" && (
        <>
          <dt>{add.name}</dt>
          <dd>
            <Untrusted text={displayName} />
          </dd>
        </>
      )}
      <dt>{add.transport}</dt>
      <dd>{servers.transport[config.type]}</dd>
      <dt>{config.type === "http" ? add.endpoint : add.command}</dt>
      <dd class="code">
        <Untrusted text={config.type === "http" ? config.url : [config.command, ...config.args].join(" ")} />
      </dd>
      {config.type === "stdio" && config.cwd !== undefined && (
        <>
          <dt>{add.cwd}</dt>
          <dd class="code">
            <Untrusted text={config.cwd} />
          </dd>
        </>
      )}
      {names.length > 0 && (
        <>
          <dt>{config.type === "http" ? add.headers : add.env}</dt>
          <dd class="code">
            <Untrusted text={fieldTexts.value.listed(names)} />
          </dd>
        </>
      )}
    </dl>
  );
}
