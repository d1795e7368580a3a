// One granted server of a partner: which of its tools, what of them the next turn offers, what is missing and why, and
// withdrawing it.

import type { Code, Diagnostic, GrantScope, PreviewedServer } from "../../generated/types";
import { codeText, messages } from "../../i18n";
import { hrefOf } from "../../state/route";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Choice } from "../../ui/choice";
import { Icon } from "../../ui/icon";
import { DiagnosticText } from "../../ui/notice";
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

export function GrantRow({ partnerId, server }: { partnerId: string; server: PreviewedServer }) {
  const texts = words.value;
  const { serverId, displayName, scope, tools, offTools, diagnostics, state, lastFailure } = server;
  const name = displayName === undefined ? texts.unreadServer : visible(displayName);
  const paused = state === "paused";
  // What is about the server as a whole says everything; what is about single tools can be many.
  const whole = diagnostics.filter(({ nativeName }) => nativeName === undefined);
  const single = diagnostics.filter(({ nativeName }) => nativeName !== undefined);
  const now =
    tools.length === 0
      ? texts.noneNow
      : scope === "all"
        ? texts.allNow(tools.length, offTools)
        : texts.permittedNow(tools.length, offTools);

  return (
    <li class="grant">
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
      {whole.map((diagnostic, index) => (
        <div key={index} class="grant-why">
          <Icon name="triangleAlert" size={14} />
          <div>
            <DiagnosticText diagnostic={diagnostic} />
          </div>
        </div>
      ))}
      {single.length > 0 && (
        <details class="disclosure">
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
                  <Untrusted text={texts.each(names.join(", "))} />
                  <p>{next}</p>
                </li>
              );
            })}
          </ul>
        </details>
      )}
      {tools.length > 0 && (
        <details class="disclosure">
          <summary>{texts.toolList(tools.length)}</summary>
          <ul class="grant-tools">
            {tools.map((tool) => (
              <li key={tool.nativeName}>
                <span>
                  <Untrusted text={tool.nativeName} />
                </span>
                <span class="muted">{texts.toolPermissions[tool.permission]}</span>
                <code title={texts.alias}>{tool.alias}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
