// A server as a form, for adding and editing. Errors come from core, at the field they are about, once there is something in it or
// saving was tried.

import type { ComponentChildren } from "preact";
import type { Diagnostic, ProtocolVersion } from "../../generated/types";
import { messages } from "../../i18n";
import { sentences } from "../../i18n/sentences";
import { doubledName, type FormDraft } from "../../state/server-form";
import { Choice } from "../../ui/choice";
import { Field } from "../../ui/field";
import { Pairs } from "../../ui/pairs";
import { CheckPanel } from "./check-panel";
import { PLACEHOLDER, words } from "./words";

const VERSIONS: readonly ProtocolVersion[] = ["auto", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

interface Props {
  form: FormDraft;
  errors: readonly Diagnostic[];
  attempted: boolean;
  onEdit(change: Partial<FormDraft>): void;
  /** It is a saved server's, which keeps its transport, and whose values may be covered. */
  saved?: boolean;
  /** Stands below the endpoint, as part of its field. */
  urlNote?: ComponentChildren;
}

export function ServerForm({ form, errors, attempted, onEdit, saved = false, urlNote }: Props) {
  const { add } = messages.value;
  const aboutValue = saved
    ? (value: string) => (value.startsWith(PLACEHOLDER) ? words.value.savedValue : undefined)
    : undefined;
  const errorAt = (path: string, value: string) =>
    attempted || value !== "" ? errors.find((error) => error.path === path) : undefined;
  const http = form.transport === "http";
  const atFields = new Set(["displayName", http ? "url" : "command"]);
  const elsewhere = errors.filter((error) => error.path === undefined || !atFields.has(error.path));

  return (
    <div class="add-main add-form">
      <Field label={add.name} hint={add.nameHint} error={errorAt("displayName", form.name)}>
        {(attributes) => (
          <input
            {...attributes}
            autofocus
            value={form.name}
            placeholder={add.namePlaceholder}
            autocomplete="off"
            onInput={(event) => onEdit({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      {!saved && (
        <div class="field">
          <span class="label" aria-hidden="true">
            {add.transport}
          </span>
          <Choice
            label={add.transport}
            value={form.transport}
            options={[
              { value: "http", label: add.transportHttp, icon: "globe" },
              { value: "stdio", label: add.transportStdio, icon: "terminal" },
            ]}
            onChange={(transport) => onEdit({ transport })}
          />
        </div>
      )}
      {http ? (
        <>
          <Field
            label={add.endpoint}
            error={errorAt("url", form.url)}
            errorText={form.url.trim() === "" ? words.value.endpointMissing : undefined}
            note={urlNote}
          >
            {(attributes) => (
              <input
                {...attributes}
                class="code"
                type="text"
                inputMode="url"
                value={form.url}
                placeholder={add.endpointPlaceholder}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => onEdit({ url: event.currentTarget.value })}
              />
            )}
          </Field>
          <Pairs
            legend={add.headers}
            hint={add.headersHint}
            pairs={form.headers}
            onChange={(headers) => onEdit({ headers })}
            texts={{
              name: add.headerName,
              value: add.headerValue,
              remove: add.headerRemove,
              add: add.headerAdd,
              namePlaceholder: "Authorization",
            }}
            about={aboutValue}
            error={twice(form.headers, add.headerTwice)}
          />
        </>
      ) : (
        <>
          <Field label={add.command} hint={add.commandHint} error={errorAt("command", form.command)}>
            {(attributes) => (
              <input
                {...attributes}
                class="code"
                value={form.command}
                placeholder="npx"
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => onEdit({ command: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field
            label={add.args}
            hint={
              saved && form.args.includes(PLACEHOLDER) ? sentences(add.argsHint, words.value.savedArgs) : add.argsHint
            }
            optional
          >
            {(attributes) => (
              <textarea
                {...attributes}
                class="code"
                rows={3}
                spellcheck={false}
                value={form.args}
                onInput={(event) => onEdit({ args: event.currentTarget.value })}
              />
            )}
          </Field>
          <Pairs
            legend={add.env}
            hint={add.envHint}
            pairs={form.env}
            onChange={(env) => onEdit({ env })}
            texts={{
              name: add.envName,
              value: add.envValue,
              remove: add.envRemove,
              add: add.envAdd,
              namePlaceholder: "API_KEY",
            }}
            about={aboutValue}
            error={twice(form.env, add.envTwice)}
          />
          <Field label={add.cwd} optional>
            {(attributes) => (
              <input
                {...attributes}
                class="code"
                value={form.cwd}
                autocomplete="off"
                spellcheck={false}
                onInput={(event) => onEdit({ cwd: event.currentTarget.value })}
              />
            )}
          </Field>
        </>
      )}
      <Field label={add.protocol}>
        {(attributes) => (
          <select
            {...attributes}
            value={form.protocolVersion}
            onChange={(event) => {
              const chosen = VERSIONS.find((version) => version === event.currentTarget.value);
              if (chosen) onEdit({ protocolVersion: chosen });
            }}
          >
            {VERSIONS.map((version) => (
              <option key={version} value={version}>
                {version === "auto" ? add.protocolAuto : add.protocolFixed(version)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {attempted && elsewhere.length > 0 && (
        <CheckPanel words={add} check={{ errors: elsewhere, warnings: [], notes: [] }} empty={false} />
      )}
    </div>
  );
}

function twice(pairs: FormDraft["headers"], text: (name: string) => string): string | undefined {
  const name = doubledName(pairs);
  return name === undefined ? undefined : text(name);
}
