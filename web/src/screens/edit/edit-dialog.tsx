// "Edit": a saved server in the form or as JSON, its secrets covered until they are asked for. Saving is refused where something else
// was saved since; then the draft stays and the person decides.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "../../bridge/problem";
import { checkServer, readEditText } from "../../core";
import { messages } from "../../i18n";
import { gapAfter } from "../../i18n/sentences";
import { readHostInfo } from "../../state/bridge";
import { closeDialog } from "../../state/dialogs";
import {
  differs,
  dropEditDraft,
  editDraftOf,
  freshDraft,
  keepEditDraft,
  toForm,
  toJson,
  type EditDraft,
  type EditTab,
} from "../../state/edit-drafts";
import { say } from "../../state/notices";
import { go } from "../../state/route";
import { configOf, doubledName, fitsForm, sameConnection } from "../../state/server-form";
import {
  aboutTools,
  activateServer,
  pauseServer,
  readConfig,
  saveConfig,
  serverById,
  servers,
} from "../../state/servers";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Spinner } from "../../ui/icon";
import { Box, ProblemBox } from "../../ui/notice";
import { panelAttributes, Tabs } from "../../ui/tabs";
import { checkJson, type Checked } from "../config/check-json";
import { CheckPanel } from "../config/check-panel";
import { editWords } from "../config/edit-words";
import { ServerForm } from "../config/server-form";
import { ServerJson } from "../config/server-json";
import { PLACEHOLDER, words } from "../config/words";
import { MovesOnSave } from "../credentials";
import { refreshTools } from "../servers/server-actions";
import { NewConnection } from "./new-connection";

function checkDraft(draft: EditDraft, otherNames: readonly string[]): Checked {
  const { form, json, read } = draft;
  if (draft.tab === "json") {
    return checkJson(readEditText(json, read.config), form.name, otherNames, read.config);
  }
  const config = configOf(form);
  const result = checkServer(form.name, config, otherNames, read.config);
  return {
    server: { displayName: form.name, config },
    check: { errors: result?.errors ?? [], notes: [], warnings: result?.warnings ?? [] },
  };
}

/**
 * Says that the server is to be read anew, and offers it: nothing connects by itself after a save. It is read where its
 * progress and its result are shown.
 */
function sayUnread(id: string, text: string): void {
  const act = () => {
    go({ serverId: id });
    const server = serverById(id);
    if (server) void refreshTools(server);
  };
  say(text, { action: { label: messages.value.server.readTools, act }, about: aboutTools(id) });
}

export function EditDialog({ id }: { id: string }) {
  const edit = editWords.value;
  const { add, common } = messages.value;
  const draft = editDraftOf(id);
  const [continued, setContinued] = useState(draft !== undefined && differs(draft));
  const [unreadable, setUnreadable] = useState<Problem | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [conflict, setConflict] = useState(false);
  /** Why the form cannot be opened, once it was tried. */
  const [formWhyNot, setFormWhyNot] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState<"save" | "reveal" | undefined>(undefined);
  const [attempted, setAttempted] = useState(false);
  const panelId = useId();
  const body = useRef<HTMLDivElement>(null);
  const name = visible(serverById(id)?.displayName ?? draft?.read.displayName ?? "");

  const load = async (reveal: boolean) => {
    setUnreadable(undefined);
    try {
      const read = await readConfig(id, reveal);
      keepEditDraft(id, freshDraft(read, reveal, draft?.tab ?? "form"));
      setFormWhyNot(fitsForm(read.config) ? undefined : edit.formTooSmall);
    } catch (error) {
      if (reveal) setProblem(problemOf(error));
      else setUnreadable(problemOf(error));
    }
  };
  // A draft without changes may be out of date by now; one with changes is the person's.
  useEffect(() => void readHostInfo(), []);
  useEffect(() => {
    if (draft && differs(draft)) return;
    dropEditDraft(id);
    void load(false);
  }, [id]);

  const others = servers.value.filter((server) => server.id !== id).map((server) => server.displayName);
  const checked = draft && checkDraft(draft, others);
  const doubled = draft?.tab === "form" ? (doubledName(draft.form.headers) ?? doubledName(draft.form.env)) : undefined;
  const changed = draft !== undefined && differs(draft);

  const summary = serverById(id);
  const target = visible(summary?.target ?? "");
  const config = checked?.server?.config;
  /** An active server would from then on be reached in another way. */
  const reconnects =
    changed && config !== undefined && summary?.state === "active" && !sameConnection(config, draft.read.config);

  const save = async (pauseFirst = false) => {
    setAttempted(true);
    if (!draft || !checked) return;
    const { server, check } = checked;
    if (!server || server.displayName.trim() === "" || doubled !== undefined || check.errors.length > 0) {
      requestAnimationFrame(() =>
        body.current?.querySelector<HTMLElement>("[aria-invalid=true], .cm-content, textarea")?.focus(),
      );
      return;
    }
    setBusy("save");
    setProblem(undefined);
    let paused = false;
    try {
      // Paused before it is saved, so that nothing can connect in between.
      if (pauseFirst) await pauseServer(id);
      paused = pauseFirst;
      await saveConfig({ id, ...server, revision: draft.read.revision });
      dropEditDraft(id);
      closeDialog();
      const newName = visible(server.displayName.trim());
      if (pauseFirst) say(edit.savedPaused(newName));
      else if (reconnects) sayUnread(id, edit.savedUnread(newName));
      else say(edit.saved(newName));
    } catch (error) {
      const why = problemOf(error);
      // What was not saved leaves the server as it was. Where something else was saved, it stays paused until it is seen.
      if (paused) await activateServer(id, draft.read.revision).catch(() => undefined);
      setBusy(undefined);
      if (why.kind === "refused" && why.refusal.code === "mcp.config_conflict") await keepOverConflict();
      else setProblem(why);
    }
  };

  /** Goes on with the draft on top of what is saved now. */
  const keepOverConflict = async () => {
    if (!draft) return;
    try {
      keepEditDraft(id, { ...draft, read: await readConfig(id, draft.revealed) });
      setConflict(true);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };

  /** The other tab says what this one says; the form opens once it can. */
  const change = (tab: EditTab) => {
    if (!draft || tab === draft.tab) return;
    setAttempted(false);
    setFormWhyNot(undefined);
    if (tab === "json") {
      if (doubled !== undefined) return setAttempted(true);
      const said = readEditText(draft.json, draft.read.config)?.server ?? undefined;
      return keepEditDraft(id, toJson(draft, configOf(draft.form), said));
    }
    const said = checked?.server;
    const next = said && toForm(draft, said);
    if (next) keepEditDraft(id, next);
    else setFormWhyNot(said ? edit.formTooSmall : edit.formUnread);
  };

  const discard = async () => {
    setContinued(false);
    setConflict(false);
    setProblem(undefined);
    setAttempted(false);
    dropEditDraft(id);
    await load(false);
  };

  const reveal = async () => {
    setBusy("reveal");
    await load(true);
    setBusy(undefined);
  };

  const coveredUrl =
    draft?.revealed === false && draft.read.config.type === "http" && draft.read.config.url.startsWith(PLACEHOLDER);
  const covered = draft?.revealed === false && JSON.stringify(draft.read.config).includes(PLACEHOLDER);
  const placeholders = covered && (
    <Box
      tone="info"
      actions={
        <Button
          busy={busy === "reveal"}
          disabled={changed}
          title={changed ? edit.revealWhyNot : undefined}
          onClick={() => void reveal()}
        >
          {edit.reveal}
        </Button>
      }
    >
      <p>{edit.placeholders}</p>
      {coveredUrl && draft.tab === "json" && <p>{words.value.savedUrl(target)}</p>}
      {changed && <p class="detail">{edit.revealWhyNot}</p>}
    </Box>
  );

  return (
    <Dialog
      title={edit.title(name)}
      wide={!unreadable}
      onClose={closeDialog}
      actions={
        <>
          <p class="foot-note">{draft && edit.connectionNote}</p>
          <Button onClick={closeDialog}>{common.cancel}</Button>
          {reconnects && (
            <Button icon="circlePause" onClick={() => void save(true)}>
              {edit.saveAndPause}
            </Button>
          )}
          {unreadable ? (
            <Button kind="primary" icon="refresh" onClick={() => void load(false)}>
              {common.retry}
            </Button>
          ) : (
            <Button kind="primary" busy={busy === "save"} disabled={!changed} onClick={() => void save()}>
              {busy === "save" ? edit.saving : reconnects ? edit.saveActive : edit.save}
            </Button>
          )}
        </>
      }
    >
      <div ref={body} class={unreadable ? "confirm" : "add"}>
        {unreadable && <ProblemBox problem={unreadable} />}
        {!draft && !unreadable && (
          <p class="progress" role="status">
            <Spinner /> {edit.loading}
          </p>
        )}
        {draft && conflict && (
          <Box tone="warning" actions={<Button onClick={() => void discard()}>{add.draftDiscard}</Button>}>
            <p>{edit.conflict}</p>
          </Box>
        )}
        {problem && <ProblemBox problem={problem} />}
        {draft && <MovesOnSave name={name} />}
        {reconnects && <NewConnection config={config} saved={draft.read.config} target={target} />}
        {draft && checked && (
          <>
            <div class="add-head">
              <Tabs
                label={add.tabs}
                id={panelId}
                tab={draft.tab}
                tabs={[
                  ["form", add.form],
                  ["json", add.json],
                ]}
                onChange={change}
              />
              <p class="draft-note" role="status">
                {draft.tab === "json" && formWhyNot
                  ? formWhyNot
                  : continued &&
                    !conflict && (
                      <>
                        <span>{add.draftKept}</span>
                        <Button kind="quiet" onClick={() => void discard()}>
                          {add.draftDiscard}
                        </Button>
                      </>
                    )}
              </p>
            </div>
            <div class="add-columns" {...panelAttributes(panelId, draft.tab)}>
              {draft.tab === "form" ? (
                <>
                  <ServerForm
                    form={draft.form}
                    errors={checked.check.errors}
                    attempted={attempted}
                    saved
                    urlNote={
                      coveredUrl && draft.form.url.startsWith(PLACEHOLDER) ? (
                        <p class="hint">
                          {words.value.savedUrl(target)}
                          {gapAfter(words.value.savedUrl(target))}
                          {!changed && (
                            <button type="button" class="link" onClick={() => void reveal()}>
                              {edit.revealUrl}
                            </button>
                          )}
                        </p>
                      ) : undefined
                    }
                    onEdit={(change) => keepEditDraft(id, { ...draft, form: { ...draft.form, ...change } })}
                  />
                  <div class="add-side">
                    {placeholders}
                    {checked.check.warnings.length > 0 && (
                      <CheckPanel words={edit} check={{ ...checked.check, errors: [] }} empty={false} />
                    )}
                  </div>
                </>
              ) : (
                <ServerJson
                  json={draft.json}
                  name={draft.form.name}
                  check={checked.check}
                  attempted={attempted}
                  words={edit}
                  onJson={(json) => keepEditDraft(id, { ...draft, json })}
                  onName={(name) => keepEditDraft(id, { ...draft, form: { ...draft.form, name } })}
                >
                  {placeholders}
                </ServerJson>
              )}
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
