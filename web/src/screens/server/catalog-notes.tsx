// What is worth knowing about a catalog besides its tools: what was isolated or mended while reading it, and decisions
// and descriptions whose tool is gone.

import { problemOf } from "../../bridge/problem";
import type { Diagnostic, ServerSummary, StaleOverride, StaleTool } from "../../generated/types";
import { messages } from "../../i18n";
import { propertiesOf, withoutProperties } from "../../state/description-drafts";
import { complain } from "../../state/notices";
import { aboutDecisions } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { DiagnosticText } from "../../ui/notice";
import { decideWithUndo } from "./decide";
import { changeDescription } from "./descriptions";

export function DiscoveryNotes({ diagnostics }: { diagnostics: readonly Diagnostic[] }) {
  const { server } = messages.value;
  if (diagnostics.length === 0) return null;
  return (
    <details class="disclosure notes">
      <summary>
        <Icon name="info" />
        {server.notesTitle(diagnostics.length)}
      </summary>
      <ul class="note-list">
        {diagnostics.map((diagnostic, index) => (
          <li key={index}>
            <DiagnosticText diagnostic={diagnostic} />
          </li>
        ))}
      </ul>
    </details>
  );
}

export function StaleTools({ id, stale }: { id: string; stale: readonly StaleTool[] }) {
  const { server, tools } = messages.value;
  if (stale.length === 0) return null;
  const clear = async (names: readonly string[]) => {
    await decideWithUndo(
      id,
      new Map(names.map((name) => [name, "off"])),
      messages.value.server.staleCleared(names.length),
    );
  };
  return (
    <details class="disclosure notes">
      <summary>
        <Icon name="unplug" />
        {server.staleTitle(stale.length)}
      </summary>
      <p>{server.staleText}</p>
      <ul class="stale-list">
        {stale.map(({ nativeName, permission }) => (
          <li key={nativeName}>
            <code>
              <Untrusted text={nativeName} />
            </code>
            <span class="muted">{tools.permissions[permission]}</span>
            <Button
              kind="quiet"
              icon="trash"
              aria-label={server.staleClearLabel(visible(nativeName))}
              onClick={() => void clear([nativeName])}
            >
              {server.staleClear}
            </Button>
          </li>
        ))}
      </ul>
      {stale.length > 1 && (
        <Button icon="trash" onClick={() => void clear(stale.map((tool) => tool.nativeName))}>
          {server.staleClearAll}
        </Button>
      )}
    </details>
  );
}

interface StaleDescriptionsProps {
  server: ServerSummary;
  stale: readonly StaleOverride[];
}

export function StaleDescriptions({ server, stale }: StaleDescriptionsProps) {
  const { common, descriptions: texts } = messages.value;
  const overrides = new Map(Object.entries(server.toolDescriptionOverrides));
  const shown = stale.filter(({ nativeName }) => overrides.has(nativeName));
  if (shown.length === 0) return null;
  const remove = async ({ nativeName, properties }: StaleOverride) => {
    const before = overrides.get(nativeName);
    if (!before) return;
    const next = properties.length === 0 ? null : withoutProperties(before, properties);
    try {
      await changeDescription(server.id, nativeName, next, before, texts.removed(visible(nativeName)));
    } catch (error) {
      complain(messages.value.tools.notSaved, problemOf(error), aboutDecisions(server.id));
    }
  };
  return (
    <details class="disclosure notes">
      <summary>
        <Icon name="unplug" />
        {texts.staleTitle(
          shown.length,
          shown.every(({ properties }) => properties.length === 0),
        )}
      </summary>
      <p>{texts.staleText}</p>
      <ul class="note-list">
        {shown.map((one) => {
          const override = overrides.get(one.nativeName);
          const own = propertiesOf(override);
          return (
            <li key={one.nativeName} class="stale-description">
              <div class="stale-head">
                <code>
                  <Untrusted text={one.nativeName} />
                </code>
                <Button
                  kind="quiet"
                  icon="trash"
                  aria-label={texts.staleRemoveLabel(visible(one.nativeName))}
                  onClick={() => void remove(one)}
                >
                  {texts.staleRemove}
                </Button>
              </div>
              {one.properties.length === 0 && override?.description !== undefined && (
                <p class="muted">
                  <Untrusted text={override.description} lines />
                </p>
              )}
              {(one.properties.length === 0 ? [...own.keys()] : one.properties).map((property) => (
                <p key={property} class="muted">
                  {texts.ofProperty}{" "}
                  <code>
                    <Untrusted text={property} />
                  </code>
                  {common.colon}
                  <Untrusted text={own.get(property) ?? ""} lines />
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
