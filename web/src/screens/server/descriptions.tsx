// How models are told about a tool: the server's descriptions and, beside them, the person's own, of the tool and of the
// properties of its input. What a server says stays as it is; an own text stands in its place for models.

import { useMemo, useRef } from "preact/hooks";
import { problemOf } from "../../bridge/problem";
import type { DescriptionOverride, ToolView } from "../../generated/types";
import { messages } from "../../i18n";
import { describe } from "../../state/catalogs";
import {
  descriptionDraftOf,
  draftOf,
  dropDescriptionDraft,
  keepDescriptionDraft,
  overrideOf,
  propertiesOf,
  type DescriptionDraft,
} from "../../state/description-drafts";
import { complain, say } from "../../state/notices";
import { aboutDecisions } from "../../state/servers";
import { parseJson } from "../../text/json";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";

/** One text: of the tool, or of a property. */
interface Subject {
  /** Nothing for the tool itself. */
  property?: string;
  /** The tool's title. */
  title?: string;
  /** The server's text. */
  theirs: string | undefined;
  /** The tool no longer has the property. */
  gone?: boolean;
}

export function Descriptions({ server, tool }: { server: string; tool: ToolView }) {
  const { tools, descriptions: texts } = messages.value;
  const section = useRef<HTMLElement>(null);
  const properties = useMemo(() => propertyTexts(tool.inputSchemaJson), [tool.inputSchemaJson]);
  const draft = descriptionDraftOf(tool.id);
  const { override } = tool;

  const focusLater = (selector: string) =>
    requestAnimationFrame(() => section.current?.querySelector<HTMLElement>(selector)?.focus());

  const edit = () => {
    keepDescriptionDraft(tool.id, draftOf(override));
    focusLater("textarea");
  };
  const leave = () => {
    dropDescriptionDraft(tool.id);
    focusLater("[data-edit]");
  };
  const save = async (next: DescriptionOverride | null, done: string) => {
    try {
      await changeDescription(server, tool.nativeName, next, override ?? null, done);
      leave();
    } catch (error) {
      complain(messages.value.tools.notSaved, problemOf(error), aboutDecisions(server));
    }
  };

  const head = <h2>{override || draft ? texts.title : tools.description}</h2>;
  const title = tool.title === tool.nativeName ? undefined : tool.title;
  const ownProperties = propertiesOf(override);
  const subjects: Subject[] = [
    { theirs: tool.description, ...(title !== undefined && { title }) },
    ...[...properties].map(([property, theirs]) => ({ property, theirs })),
    ...[...ownProperties.keys()]
      .filter((property) => !properties.has(property))
      .map((property) => ({ property, theirs: undefined, gone: true })),
  ];

  if (draft) {
    return (
      <section ref={section} class="descriptions">
        {head}
        <p class="hint">{texts.editHint}</p>
        <ul class="compare">
          {subjects.map((subject) => (
            <Editing
              key={subject.property ?? ""}
              subject={subject}
              value={
                subject.property === undefined ? draft.description : (draft.properties.get(subject.property) ?? "")
              }
              onChange={(text) => keepDescriptionDraft(tool.id, withText(draft, subject.property, text))}
            />
          ))}
        </ul>
        <div class="descriptions-actions editing">
          <Button kind="primary" onClick={() => void save(overrideOf(draft), texts.saved(visible(tool.nativeName)))}>
            {texts.save}
          </Button>
          <Button onClick={leave}>{messages.value.common.cancel}</Button>
        </div>
      </section>
    );
  }

  if (!override) {
    return (
      <section ref={section} class="descriptions">
        {head}
        {title !== undefined && (
          <p class="tool-title">
            <Untrusted text={title} />
          </p>
        )}
        <Text text={tool.description} none={tools.noDescription} />
        <Button kind="quiet" icon="pencil" data-edit onClick={edit}>
          {texts.write}
        </Button>
      </section>
    );
  }

  const own = (property: string | undefined) =>
    property === undefined ? override.description : ownProperties.get(property);
  return (
    <section ref={section} class="descriptions">
      {head}
      <ul class="compare">
        {subjects
          .filter(({ property }) => property === undefined || ownProperties.has(property))
          .map((subject) => (
            <li key={subject.property ?? ""}>
              <SubjectName subject={subject} />
              <div class="compare-pair">
                <div>
                  <p class="compare-label">{texts.theirs}</p>
                  <Text text={subject.theirs} none={texts.none} />
                </div>
                <div class="own">
                  <p class="compare-label">{texts.own}</p>
                  <Text text={own(subject.property)} none={texts.noOwn} />
                </div>
              </div>
            </li>
          ))}
      </ul>
      <div class="descriptions-actions">
        <Button icon="pencil" data-edit onClick={edit}>
          {texts.edit}
        </Button>
        <Button icon="undo" onClick={() => void save(null, texts.removed(visible(tool.nativeName)))}>
          {texts.reset}
        </Button>
      </div>
    </section>
  );
}

/** Saves, says so, and offers the way back. */
export async function changeDescription(
  server: string,
  nativeName: string,
  next: DescriptionOverride | null,
  before: DescriptionOverride | null,
  done: string,
): Promise<void> {
  if (next === null && before === null) return;
  await describe(server, nativeName, next);
  say(done, {
    undo: () => {
      describe(server, nativeName, before).then(
        () => say(messages.value.tools.undone),
        (error: unknown) => complain(messages.value.tools.notSaved, problemOf(error), aboutDecisions(server)),
      );
    },
  });
}

interface EditingProps {
  subject: Subject;
  value: string;
  onChange(text: string): void;
}

function Editing({ subject, value, onChange }: EditingProps) {
  const { descriptions: texts } = messages.value;
  const { property, theirs } = subject;
  return (
    <li>
      <SubjectName subject={subject} />
      <div class="compare-pair">
        <div>
          <p class="compare-label">{texts.theirs}</p>
          <Text text={theirs} none={texts.none} />
        </div>
        <label>
          <span class="compare-label" aria-hidden="true">
            {texts.own}
          </span>
          <textarea
            rows={property === undefined ? 4 : 2}
            aria-label={property === undefined ? texts.ownOfTool : texts.ownOf(visible(property))}
            value={value}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        </label>
      </div>
    </li>
  );
}

function SubjectName({ subject: { property, title, gone } }: { subject: Subject }) {
  const { descriptions: texts } = messages.value;
  if (property === undefined) {
    return <h3>{title === undefined ? texts.ofTool : <Untrusted text={title} />}</h3>;
  }
  return (
    <h3>
      {texts.ofProperty}{" "}
      <code>
        <Untrusted text={property} />
      </code>
      {gone && <span class="muted"> {texts.gone}</span>}
    </h3>
  );
}

function Text({ text, none }: { text: string | undefined; none: string }) {
  if (text === undefined || text === "") return <p class="muted">{none}</p>;
  return (
    <p class="prose">
      <Untrusted text={text} lines />
    </p>
  );
}

function withText(draft: DescriptionDraft, property: string | undefined, text: string): DescriptionDraft {
  if (property === undefined) return { ...draft, description: text };
  return { ...draft, properties: new Map(draft.properties).set(property, text) };
}

/** The properties at the root of an input schema, each with the server's description of it. */
function propertyTexts(schema: string): ReadonlyMap<string, string | undefined> {
  const root = parseJson(schema);
  const properties = root instanceof Map ? root.get("properties") : undefined;
  if (!(properties instanceof Map)) return new Map();
  return new Map(
    [...properties].map(([name, inner]) => {
      const text = inner instanceof Map ? inner.get("description") : undefined;
      return [name, typeof text === "string" ? text : undefined];
    }),
  );
}
