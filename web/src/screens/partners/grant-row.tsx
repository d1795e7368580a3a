// One granted server of a partner: which of its tools, what of them the next turn offers, what is missing and why, and
// withdrawing it.

import type { Code, Diagnostic, GrantScope } from "../../generated/types";
import { codeText, messages } from "../../i18n";
import { catalogOf, readTools } from "../../state/catalogs";
import { openDialog } from "../../state/dialogs";
import { hrefOf } from "../../state/route";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Choice } from "../../ui/choice";
import { Icon } from "../../ui/icon";
import { DiagnosticText, ProblemText } from "../../ui/notice";
import type { Found } from "./find-grants";
import { GrantTools } from "./grant-tools";
import { setScope, withdraw } from "./partner-actions";
import { words } from "./words";

export const SCOPES: readonly GrantScope[] = ["all", "permitted"];

export function scopeOptions() {
  const { scopes, scopeHelp } = words.value;
  return SCOPES.map((value) => ({ value, label: scopes[value], hint: scopeHelp[value] }));
}

/** The tools that each reason is about. */
function byCode(diagnostics: readonly Diagnostic[]): readonly (readonly [Code, readonly string[]])[] {
  const names = new Map<Code, string[]>();
  for (const { code, nativeName = "" } of diagnostics) names.set(code, [...(names.get(code) ?? []), nativeName]);
  return [...names];
}

/** What of a row can be unfolded. */
export type Part = "missing" | "tools";

interface Props {
  partnerId: string;
  /** Its MCP is on. */
  on: boolean;
  found: Found;
  /** Is in the document with all its tools, folded or not, where the browser's own search finds them. */
  whole: boolean;
  scroller: { readonly current: HTMLElement | null };
  isOpen(part: Part): boolean;
  onFold(part: Part, open: boolean): void;
}

export function GrantRow({ partnerId, on, found, whole, scroller, isOpen, onFold }: Props) {
  const texts = words.value;
  const { server, byTools } = found;
  const { serverId, displayName, scope, tools, offTools, diagnostics, state, lastFailure } = server;
  const name = displayName === undefined ? texts.unreadServer : visible(displayName);
  const paused = state === "paused";
  // What is about the server as a whole says everything; what is about single tools can be many.
  const general = diagnostics.filter(({ nativeName }) => nativeName === undefined);
  const single = diagnostics.filter(({ nativeName }) => nativeName !== undefined);
  const now =
    tools.length === 0
      ? texts.noneNow
      : scope === "all"
        ? texts.allNow(tools.length, offTools, on)
        : texts.permittedNow(tools.length, offTools, on);

  const folding = (part: Part) => ({
    class: "disclosure",
    open: isOpen(part),
    onToggle: (event: Event) => onFold(part, (event.currentTarget as HTMLDetailsElement).open),
  });
  const toolList = byTools ? texts.toolsFound(byTools.length, tools.length) : texts.toolList(tools.length);

  return (
    <>
      <div class="grant-head">
        <h3>
          {displayName === undefined ? (
            texts.unreadServer
          ) : (
            <a href={hrefOf({ serverId })} title={texts.openServer(name)}>
              <Untrusted text={displayName} />
            </a>
          )}
          {paused && (
            <span class="state paused">
              <Icon name="circlePause" size={14} />
              {messages.value.status.paused}
            </span>
          )}
        </h3>
        <Choice
          label={texts.scope(name)}
          value={scope}
          options={scopeOptions()}
          onChange={(to) => to !== scope && void setScope(partnerId, serverId, to, name)}
        />
        <Button
          kind="quiet"
          icon="x"
          aria-label={texts.withdrawLabel(name)}
          data-withdraw
          onClick={() => void withdraw(partnerId, serverId, scope, name)}
        >
          {texts.withdraw}
        </Button>
      </div>
      <p class="grant-now">{now}</p>
      {lastFailure && tools.length > 0 && (
        <p class="grant-why">
          <Icon name="triangleAlert" size={14} />
          <span>{texts.staleCatalog}</span>
        </p>
      )}
      {general.map((diagnostic, index) => (
        <div key={index} class="grant-why">
          <Icon name="triangleAlert" size={14} />
          <div>
            <General diagnostic={diagnostic} serverId={serverId} />
          </div>
        </div>
      ))}
      {single.length > 0 && (
        <details {...folding("missing")}>
          <summary>
            <Icon name="info" />
            {texts.missing(single.length)}
          </summary>
          <ul class="note-list">
            {/* Many of them say the same, which is said once; the program's own sentence about each would add nothing. */}
            {byCode(single).map(([code, names]) => {
              const [what, next] = codeText(code);
              return (
                <li key={code}>
                  <strong>{what}</strong>
                  <Untrusted text={texts.each(names)} />
                  <p>{next}</p>
                </li>
              );
            })}
          </ul>
        </details>
      )}
      {tools.length > 0 && (
        <details {...folding("tools")}>
          <summary>{toolList}</summary>
          {(whole || isOpen("tools")) && (
            <GrantTools label={toolList} tools={byTools ?? tools} whole={whole} scroller={scroller} />
          )}
        </details>
      )}
    </>
  );
}

/** What is about the server as a whole: where one act mends it, that act in the place of a sentence about it. */
function General({ diagnostic, serverId }: { diagnostic: Diagnostic; serverId: string }) {
  const { actions } = messages.value.servers;
  const { reading, problem } = catalogOf(serverId).value;
  const { code } = diagnostic;
  const act =
    code === "mcp.tool_server_paused" ? (
      <Button icon="plug" onClick={() => (openDialog.value = { kind: "activate", id: serverId })}>
        {actions.activate}
      </Button>
    ) : code === "mcp.tool_catalog_missing" ? (
      <Button icon="refresh" busy={reading !== undefined} onClick={() => void readTools(serverId, "refresh")}>
        {actions.read}
      </Button>
    ) : null;
  if (!act) return <DiagnosticText diagnostic={diagnostic} />;
  return (
    <>
      <strong>{codeText(code)[0]}</strong>
      <div class="grant-act">{act}</div>
      {problem && <ProblemText problem={problem} />}
    </>
  );
}
