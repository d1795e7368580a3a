// What an import would create, entry by entry, as core reads the text: what each is, what is wrong with it, what to look
// at, and what was not used.

import { checkServer } from "../../core";
import type { Diagnostic, ImportEntry, ImportPreview, ServerConfig } from "../../generated/types";
import { messages } from "../../i18n";
import { Untrusted } from "../../text/untrusted";
import { Icon } from "../../ui/icon";
import { Box, Detail } from "../../ui/notice";
import { CheckList } from "../config/check-panel";
import { explainReason } from "../config/reasons";
import { words as fieldTexts } from "../config/words";
import { words } from "./words";

interface Props {
  preview: ImportPreview;
  /** This Toolgate cannot start the programs among them. */
  blocked: boolean;
  onGoTo(line: number, column: number): void;
}

/** Every error of a preview, in the order of the entries. */
export function errorsOf({ errors, entries }: ImportPreview): Diagnostic[] {
  return [...errors, ...entries.flatMap((entry) => entry.errors)];
}

export function notesOf({ notes, entries }: ImportPreview): Diagnostic[] {
  return [...notes, ...entries.flatMap((entry) => entry.notes)];
}

export function PreviewOf({ preview, blocked, onGoTo }: Props) {
  const texts = words.value;
  const { entries, errors, notes } = preview;
  const bad = entries.filter((entry) => entry.errors.length > 0).length;
  const accepted = errors.length === 0 && bad === 0;
  const programs = entries.filter((entry) => entry.config?.type === "stdio").length;
  return (
    <>
      {blocked ? (
        <Box tone="warning" title={messages.value.add.stdioUnavailableTitle}>
          <p>{messages.value.add.stdioUnavailable}</p>
        </Box>
      ) : (
        <p class={accepted ? "check-title success" : "check-title error"} role="status">
          <Icon name={accepted ? "circleCheck" : "circleAlert"} />
          {accepted ? texts.ready(entries.length) : texts.refused(bad, entries.length)}
        </p>
      )}
      {errors.length > 0 && (
        <CheckList icon="circleAlert" tone="error" title={texts.textErrors} items={errors} onGoTo={onGoTo} />
      )}
      {programs > 0 && (
        <Box tone="warning" title={texts.runsTitle(programs)}>
          <p>{texts.runsText(programs)}</p>
        </Box>
      )}
      {entries.length > 0 && (
        <ol class="import-entries">
          {entries.map((entry) => (
            <Entry key={entry.path} entry={entry} onGoTo={onGoTo} />
          ))}
        </ol>
      )}
      {notes.length > 0 && <CheckList icon="info" tone="info" title={texts.textNotes} items={notes} onGoTo={onGoTo} />}
    </>
  );
}

interface EntryProps extends Pick<Props, "onGoTo"> {
  entry: ImportEntry;
}

function Entry({ entry, onGoTo }: EntryProps) {
  const texts = words.value;
  const { add, common } = messages.value;
  const { displayName, config, errors, notes, line, column } = entry;
  // A name that is taken is an error here and said there.
  const warnings = (config && checkServer(displayName ?? "", config, [])?.warnings) ?? [];
  return (
    <li class="import-entry">
      <div class="check-what">
        <strong>{displayName === undefined ? texts.unnamed : <Untrusted text={displayName} />}</strong>
        <button type="button" class="link" aria-label={add.goToLine(line, column)} onClick={() => onGoTo(line, column)}>
          {common.line(line)}
        </button>
        <span class={errors.length === 0 ? "state active" : "state failed"}>
          <Icon name={errors.length === 0 ? "circleCheck" : "circleAlert"} size={14} />
          {errors.length === 0 ? texts.okay : texts.wrong(errors.length)}
        </span>
      </div>
      {config && <Reached config={config} />}
      <Items entry={entry} tone="error" items={errors} onGoTo={onGoTo} />
      <Items entry={entry} tone="warning" items={warnings} onGoTo={onGoTo} />
      <Items entry={entry} tone="info" items={notes} onGoTo={onGoTo} />
    </li>
  );
}

interface ItemsProps extends EntryProps {
  tone: "error" | "warning" | "info";
  items: readonly Diagnostic[];
}

const ICONS = { error: "circleAlert", warning: "triangleAlert", info: "info" } as const;

function Items({ entry, tone, items, onGoTo }: ItemsProps) {
  const { add, common } = messages.value;
  if (items.length === 0) return null;
  return (
    <ul class="entry-items">
      {items.map((item, index) => {
        // What to look at is the same for every server; what to fix or was passed over has its particulars.
        const { what, next, detail } = explainReason(tone === "warning" ? { ...item, message: "" } : item);
        const { line, column = 1 } = item;
        return (
          <li key={index} class={tone}>
            <Icon name={ICONS[tone]} size={14} />
            <div>
              <strong>{what}</strong>{" "}
              {line !== undefined && line !== entry.line && (
                <button
                  type="button"
                  class="link"
                  aria-label={add.goToLine(line, column)}
                  onClick={() => onGoTo(line, column)}
                >
                  {common.line(line)}
                </button>
              )}
              <p>
                <Untrusted text={next} />
              </p>
              <Detail text={detail} path={tone === "error" ? item.path : undefined} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** The endpoint or command, whole: it is in the text anyway, and it is what the person decides about. */
function Reached({ config }: { config: ServerConfig }) {
  const { servers, add } = messages.value;
  const http = config.type === "http";
  const names = Object.keys(http ? config.headers : config.env);
  return (
    <>
      <p class="import-target">
        <Icon name={http ? "globe" : "terminal"} size={14} />
        <span class="visually-hidden">{servers.transport[config.type]}</span>
        <code>
          <Untrusted text={http ? config.url : [config.command, ...config.args].join(" ")} />
        </code>
      </p>
      {config.type === "stdio" && config.cwd !== undefined && (
        <p class="import-names">
          <Untrusted text={fieldTexts.value.labelled(add.cwd, config.cwd)} />
        </p>
      )}
      {names.length > 0 && (
        <p class="import-names">
          <Untrusted text={fieldTexts.value.labelled(http ? add.headers : add.env, fieldTexts.value.listed(names))} />
        </p>
      )}
    </>
  );
}
