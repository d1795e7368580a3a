// The picker: servers that a partner is not granted yet, with a search, as many at once as a person likes, and one scope
// for them, which can be changed for each afterwards.

import { useEffect, useState } from "preact/hooks";
import { problemOf, type Problem } from "../../bridge/problem";
import type { GrantScope, ServerSummary } from "../../generated/types";
import { messages } from "../../i18n";
import { catalogOf, readTools } from "../../state/catalogs";
import { closeDialog } from "../../state/dialogs";
import { say } from "../../state/notices";
import { grantServer, partnerById } from "../../state/partners";
import { loaded, servers } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Choice } from "../../ui/choice";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { ProblemBox } from "../../ui/notice";
import { SearchField } from "../../ui/search-field";
import { scopeOptions } from "./grant-row";
import { words } from "./words";

export function GrantDialog({ id }: { id: string }) {
  const texts = words.value;
  const partner = partnerById(id);
  const [query, setQuery] = useState("");
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [scope, setScope] = useState<GrantScope>("all");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ title: string; problem: Problem } | undefined>(undefined);
  if (!partner) return null;

  const granted = new Set<string>(partner.grants.map((grant) => grant.serverId));
  const open = servers.value.filter((server) => !granted.has(server.id));
  const wanted = query.trim().toLowerCase();
  const shown = open.filter(({ displayName, target }) => `${displayName}\n${target}`.toLowerCase().includes(wanted));
  // A server that is gone, or was granted elsewhere meanwhile, is no longer picked.
  const chosen = open.filter((server) => picked.has(server.id));

  // From what is picked by then: two ticks can come before the first is drawn.
  const toggle = (server: string) =>
    setPicked((before) => {
      const next = new Set(before);
      if (!next.delete(server)) next.add(server);
      return next;
    });

  const grant = async () => {
    if (chosen.length === 0) return;
    setBusy(true);
    setProblem(undefined);
    let done = 0;
    try {
      for (const server of chosen) {
        await grantServer(id, server.id, scope);
        done += 1;
      }
      closeDialog();
      // What is paused or was never read offers nothing yet, nor does a partner whose MCP is off.
      const offered = chosen.every(({ state, toolCount }) => state === "active" && toolCount !== undefined);
      say(texts.granted(done, offered && partner.mcpEnabled));
    } catch (error) {
      setProblem({
        title: done === 0 ? texts.notGranted : texts.grantPartly(done, chosen.length),
        problem: problemOf(error),
      });
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={texts.grantTitle(visible(partner.name))}
      onClose={closeDialog}
      actions={
        <>
          <Button onClick={closeDialog}>{messages.value.common.cancel}</Button>
          <Button kind="primary" busy={busy} disabled={chosen.length === 0} onClick={() => void grant()}>
            {texts.grantConfirm(chosen.length)}
          </Button>
        </>
      }
    >
      <div class="confirm picker">
        {problem && <ProblemBox {...problem} />}
        <SearchField label={texts.grantSearch} value={query} onChange={setQuery} />
        <ul class="pick-list" aria-label={texts.grantList}>
          {shown.map((server) => (
            <li key={server.id}>
              <label class="pick">
                <input type="checkbox" checked={picked.has(server.id)} onChange={() => toggle(server.id)} />
                <span class="pick-words">
                  <strong>
                    <Untrusted text={server.displayName} />
                  </strong>
                  <span class="muted">
                    <Untrusted text={server.target} />
                  </span>
                  <ServerFacts server={server} picked={picked.has(server.id)} />
                </span>
              </label>
            </li>
          ))}
        </ul>
        {shown.length === 0 && (
          <p class="muted" role="status">
            {!loaded.value.list
              ? messages.value.common.loading
              : open.length === 0
                ? texts.allGranted
                : texts.grantNoMatch}
          </p>
        )}
        <div class="field">
          <span class="label" aria-hidden="true">
            {texts.grantScope}
          </span>
          <Choice<GrantScope>
            label={texts.grantScope}
            value={scope}
            options={scopeOptions()}
            onChange={(to) => setScope(to)}
          />
          <p class="hint">{texts.scopeHelp[scope]}</p>
        </div>
      </div>
    </Dialog>
  );
}

function ServerFacts({ server, picked }: { server: ServerSummary; picked: boolean }) {
  const texts = words.value;
  const catalog = catalogOf(server.id).value;
  const tools = catalog.result?.tools;
  // How many are Off is to be seen before they are granted. What was saved is read without asking the server.
  const saved = server.state === "active" && server.toolCount !== undefined;
  const unread = saved && !tools && !catalog.reading && !catalog.problem;
  useEffect(() => {
    if (picked && unread) void readTools(server.id, "discover");
  }, [picked, unread]);
  const off = tools?.filter((tool) => tool.permission === "off").length ?? 0;
  return (
    <span class="pick-facts muted">
      {server.state === "paused" && (
        <span class="state paused">
          <Icon name="circlePause" size={14} />
          {messages.value.status.paused}
        </span>
      )}
      <span>{server.toolCount === undefined ? texts.grantUnread : texts.grantTools(server.toolCount, off)}</span>
    </span>
  );
}
