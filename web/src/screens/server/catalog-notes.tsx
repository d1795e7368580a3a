// What is worth knowing about a catalog besides its tools: what was isolated or mended while reading it, and decisions
// whose tool is gone.

import { problemOf } from "../../bridge/problem";
import type { Diagnostic, StaleTool } from "../../generated/types";
import { messages } from "../../i18n";
import { decide } from "../../state/catalogs";
import { complain, say } from "../../state/notices";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { DiagnosticText } from "../../ui/notice";

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
    try {
      await decide(id, new Map(names.map((name) => [name, "off"])));
      say(messages.value.server.staleCleared(names.length));
    } catch (error) {
      complain(messages.value.server.staleClear, problemOf(error));
    }
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
              icon="x"
              aria-label={server.staleClearLabel(visible(nativeName))}
              onClick={() => void clear([nativeName])}
            >
              {server.staleClear}
            </Button>
          </li>
        ))}
      </ul>
      {stale.length > 1 && (
        <Button icon="x" onClick={() => void clear(stale.map((tool) => tool.nativeName))}>
          {server.staleClearAll}
        </Button>
      )}
    </details>
  );
}
