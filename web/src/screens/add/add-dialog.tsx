// "Add server": a form or JSON, checked by core as it is typed. What is added is paused; nothing connects from here.

import { useId, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "../../bridge/problem";
import { checkServer, coreState, readAddText } from "../../core";
import { messages } from "../../i18n";
import {
  addDraft,
  draftIsEmpty,
  editDraft,
  editForm,
  startOver,
  toFormTab,
  toJsonTab,
  type AddDraft,
} from "../../state/add-draft";
import { configOf, doubledName, type FormDraft } from "../../state/server-form";
import { hostSpeaks } from "../../state/bridge";
import { closeDialog, openDialog } from "../../state/dialogs";
import { bringToImport } from "../../state/import-draft";
import { say } from "../../state/notices";
import { go } from "../../state/route";
import { createServer, servers } from "../../state/servers";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Dialog, focusHeading } from "../../ui/dialog";
import { Box, ProblemBox } from "../../ui/notice";
import { panelAttributes, Tabs } from "../../ui/tabs";
import { checkJson, type Checked } from "../config/check-json";
import { CheckPanel } from "../config/check-panel";
import { editWords } from "../config/edit-words";
import { ServerForm } from "../config/server-form";
import { ServerJson } from "../config/server-json";
import { pastedForm } from "./pasted";
import { words } from "./words";

/** What the draft amounts to: the server it describes, as far as it does, and what core says about it. */
function checkDraft(draft: AddDraft): Checked {
  const otherNames = servers.value.map((server) => server.displayName);
  if (draft.tab === "form") {
    const { form } = draft;
    const config = configOf(form);
    const result = checkServer(form.name, config, otherNames);
    return {
      server: { displayName: form.name, config },
      check: { errors: result?.errors ?? [], notes: [], warnings: result?.warnings ?? [], config },
    };
  }
  return checkJson(readAddText(draft.json), draft.jsonName, otherNames);
}

export function AddDialog() {
  const { add } = messages.value;
  const draft = addDraft.value;
  const { server, check } = checkDraft(draft);
  const [continued, setContinued] = useState(!draftIsEmpty.peek());
  const [attempted, setAttempted] = useState(false);
  /** Why the form cannot be opened, once it was tried. */
  const [formWhyNot, setFormWhyNot] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const panelId = useId();
  const body = useRef<HTMLDivElement>(null);

  const transport = server?.config.type ?? "http";
  const unavailable = !hostSpeaks(transport);
  const doubled = draft.tab === "form" ? (doubledName(draft.form.headers) ?? doubledName(draft.form.env)) : undefined;

  const submit = async () => {
    setAttempted(true);
    if (unavailable) return;
    if (!server || server.displayName.trim() === "" || check.errors.length > 0 || doubled !== undefined) {
      requestAnimationFrame(() =>
        body.current?.querySelector<HTMLElement>("[aria-invalid=true], .cm-content, textarea")?.focus(),
      );
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      const created = await createServer(server.displayName, server.config);
      startOver();
      closeDialog();
      go({ serverId: created.id });
      requestAnimationFrame(focusHeading);
      say(add.added(visible(created.displayName)));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };

  /** What is no JSON goes on in the form, where its name is missing yet. */
  const pasted = draft.tab === "json" ? pastedForm(draft.json) : undefined;
  const fillForm = (pasted: Partial<FormDraft>) => {
    setFormWhyNot(undefined);
    editDraft({ tab: "form", json: "", form: { ...draft.form, ...pasted } });
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>("input")?.focus());
  };

  /** The other tab says what this one says; the form opens once it can. */
  const change = (tab: AddDraft["tab"]) => {
    if (tab === draft.tab) return;
    setAttempted(false);
    setFormWhyNot(undefined);
    if (tab === "json") {
      if (doubled !== undefined) setAttempted(true);
      else addDraft.value = toJsonTab(draft);
      return;
    }
    if (pasted) return fillForm(pasted);
    const read = draft.json.trim() === "" ? undefined : readAddText(draft.json);
    if (!read) return editDraft({ tab });
    const next = read.server && toFormTab(draft, read.server);
    if (next) addDraft.value = next;
    else setFormWhyNot(read.server ? editWords.value.formTooSmall : editWords.value.formUnread);
  };

  /** The text goes on in the dialog for many; a draft that waits there is not lost, as both texts are kept. */
  const importInstead = () => {
    bringToImport(draft.json);
    editDraft({ json: "" });
    openDialog.value = { kind: "import" };
  };

  return (
    <Dialog
      title={add.title}
      wide
      onClose={closeDialog}
      actions={
        <>
          <p class="foot-note">{add.pausedNote}</p>
          <Button kind="plain" onClick={closeDialog}>
            {messages.value.common.cancel}
          </Button>
          <Button kind="primary" busy={busy} disabled={unavailable} onClick={() => void submit()}>
            {busy ? add.submitting : add.submit}
          </Button>
        </>
      }
    >
      <div ref={body} class="add">
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
          {formWhyNot && draft.tab === "json" && (
            <p class="draft-note" role="status">
              {formWhyNot}
            </p>
          )}
          {continued && !formWhyNot && (
            <p class="draft-note">
              <span>{add.draftKept}</span>
              <Button
                kind="quiet"
                onClick={() => {
                  startOver();
                  setContinued(false);
                }}
              >
                {add.draftDiscard}
              </Button>
            </p>
          )}
        </div>
        {problem && <ProblemBox problem={problem} />}
        {unavailable && (
          <Box tone="warning" title={add.stdioUnavailableTitle}>
            <p>{add.stdioUnavailable}</p>
          </Box>
        )}
        {coreState.value === "failed" && (
          <Box tone="warning">
            <p>{add.coreFailed}</p>
          </Box>
        )}
        <div class="add-columns" {...panelAttributes(panelId, draft.tab)}>
          {draft.tab === "form" ? (
            <>
              <ServerForm form={draft.form} errors={check.errors} attempted={attempted} onEdit={editForm} />
              <div class="add-side">
                {check.warnings.length > 0 && <CheckPanel words={add} check={{ ...check, errors: [] }} empty={false} />}
              </div>
            </>
          ) : (
            <ServerJson
              json={draft.json}
              name={draft.jsonName}
              check={check}
              attempted={attempted}
              words={add}
              onJson={(json) => editDraft({ json })}
              onName={(jsonName) => editDraft({ jsonName })}
            >
              {pasted?.transport && (
                <Box
                  tone="info"
                  actions={
                    <Button icon="pencil" onClick={() => fillForm(pasted)}>
                      {words.value.toForm}
                    </Button>
                  }
                >
                  <p>{words.value.pasted[pasted.transport]}</p>
                </Box>
              )}
              {check.errors.some(({ code }) => code === "mcp.import_several_servers") && (
                <Box
                  tone="info"
                  actions={
                    <Button icon="fileInput" onClick={importInstead}>
                      {add.importThem}
                    </Button>
                  }
                >
                  <p>{add.several}</p>
                </Box>
              )}
            </ServerJson>
          )}
        </div>
      </div>
    </Dialog>
  );
}
