// What of the arguments does not fit the tool's schema, each with its name and a way to it, and what could not be checked.

import { useMemo } from "preact/hooks";
import { placeOf, type ArgumentsCheck, type FormNode } from "../../core/schema";
import { codeLine, messages, spoken } from "../../i18n";
import { gapAfter, sentences } from "../../i18n/sentences";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Box, Detail } from "../../ui/notice";
import { words } from "./words";

interface Props {
  check: ArgumentsCheck | undefined;
  form: FormNode | null;
  /** The arguments as they are written. */
  text: string;
  /** Where the form is shown: goes to the field, or to the JSON where there is none. */
  goToField: ((path: string) => void) | undefined;
  goTo(line: number, column: number): void;
}

/** Things that are named, at most: each is looked up in the text. */
export const MOST_NAMED = 20;

export function Warnings({ check, form, text, goToField, goTo }: Props) {
  const texts = words.value;
  const names = useMemo(() => namesOf(form, texts.item), [form, texts]);
  if (!check) return null;
  const { warnings, notes, unchecked, hasMore } = check;
  return (
    <div class="call-warnings">
      <div role="status">
        {warnings.length > 0 && (
          <Box tone="warning" title={texts.warnings(warnings.length)}>
            <ul>
              {warnings.slice(0, MOST_NAMED).map(({ path, keyword, expected }, at) => {
                const name = path === "" ? texts.wholeName : (names.get(path) ?? nameOf(path));
                const place = goToField ? undefined : placeOf(text, path);
                return (
                  <li key={at}>
                    {goToField ? (
                      <button
                        type="button"
                        class="link"
                        title={texts.goToField(visible(name))}
                        onClick={() => goToField(path)}
                      >
                        <Untrusted text={name} />
                      </button>
                    ) : (
                      <Untrusted text={name} />
                    )}
                    {messages.value.common.colon}
                    <Untrusted text={texts.warning(keyword, expected ?? "")} />
                    {place && (
                      <>
                        {" "}
                        <button type="button" class="link" onClick={() => goTo(place[0], place[1])}>
                          {texts.goTo(place[0], place[1])}
                        </button>
                      </>
                    )}
                  </li>
                );
              })}
            </ul>
            <p>{sentences((hasMore || warnings.length > MOST_NAMED) && texts.warningsMore, texts.warningsText)}</p>
          </Box>
        )}
        {unchecked !== undefined && <Note said={texts.unchecked} particulars={unchecked} />}
      </div>
      {notes.map((note, at) => (
        <Note key={at} said={codeLine(note.code)} particulars={note.message} />
      ))}
    </div>
  );
}

/** What core's sentence adds stands beside ours in English; in another language it is there for who asks. */
function Note({ said, particulars }: { said: string; particulars: string }) {
  return (
    <div class="hint">
      {said}
      {spoken.value === "en" ? (
        <>
          {gapAfter(said)}
          <Untrusted text={particulars} />
        </>
      ) : (
        <Detail text={particulars} path={undefined} />
      )}
    </div>
  );
}

const STEP = " › ";

/** What the form calls each of its places. */
function namesOf(form: FormNode | null, item: (index: number) => string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const waiting: [FormNode, string][] = form ? [[form, ""]] : [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, name] = next;
    const inside = (step: string) => (name === "" ? step : `${name}${STEP}${step}`);
    names.set(node.path, name);
    const { control } = node;
    if (control.kind === "object") for (const field of control.fields) waiting.push([field, inside(field.name ?? "")]);
    if (control.kind === "list") control.items.forEach((one, at) => waiting.push([one, inside(item(at + 1))]));
  }
  return names;
}

/** The same of a place that the form does not have. */
function nameOf(pointer: string): string {
  const steps = pointer.slice(1).split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")).join(STEP);
}
