// "Add server": a form or JSON, checked by core as it is typed. What is added is paused; nothing connects from here.

import { useId, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "../../bridge/problem";
import { checkServer, coreState, readAddText } from "../../core";
import type { AddPreview, ServerConfig } from "../../generated/types";
import { messages } from "../../i18n";
import { addDraft, draftIsEmpty, editDraft, editForm, startOver, type AddDraft } from "../../state/add-draft";
import { configOf, doubledName } from "../../state/server-form";
import { hostSpeaks } from "../../state/bridge";
import { closeDialog } from "../../state/dialogs";
import { say } from "../../state/notices";
import { go } from "../../state/route";
import { createServer, servers } from "../../state/servers";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Box, ProblemBox } from "../../ui/notice";
import { AddJson } from "./add-json";
import { CheckPanel, type Check } from "../config/check-panel";
import { ServerForm } from "../config/server-form";

/** What the draft amounts to: the server it describes, as far as it does, and what core says about it. */
function checkDraft(draft: AddDraft): {
  server?: { displayName: string; config: ServerConfig };
  check: Check;
} {
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
  const read: AddPreview = readAddText(draft.json) ?? { server: null, errors: [], notes: [] };
  if (!read.server) return { check: { errors: read.errors, notes: read.notes, warnings: [] } };
  const { config } = read.server;
  const displayName = read.server.displayName ?? draft.jsonName;
  const result = displayName === "" ? undefined : checkServer(displayName, config, otherNames);
  return {
    server: { displayName, config },
    check: {
      errors: [...read.errors, ...(result?.errors ?? [])],
      notes: read.notes,
      warnings: result?.warnings ?? [],
      config,
      displayName,
      nameMissing: read.server.displayName === undefined,
    },
  };
}

export function AddDialog() {
  const { add } = messages.value;
  const draft = addDraft.value;
  const { server, check } = checkDraft(draft);
  const [continued, setContinued] = useState(!draftIsEmpty.peek());
  const [attempted, setAttempted] = useState(false);
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
      say(add.added(visible(created.displayName)));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };

  const tabs = [
    ["form", add.form],
    ["json", add.json],
  ] as const;

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
          <div
            role="tablist"
            aria-label={add.tabs}
            class="tabs"
            onKeyDown={(event) => {
              if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
              const tab = draft.tab === "form" ? "json" : "form";
              editDraft({ tab });
              event.currentTarget.querySelector<HTMLElement>(`[data-tab=${tab}]`)?.focus();
            }}
          >
            {tabs.map(([tab, label]) => (
              <button
                key={tab}
                type="button"
                role="tab"
                id={`${panelId}-${tab}`}
                data-tab={tab}
                aria-selected={draft.tab === tab}
                aria-controls={panelId}
                tabIndex={draft.tab === tab ? 0 : -1}
                onClick={() => {
                  editDraft({ tab });
                  setAttempted(false);
                }}
              >
                {label}
              </button>
            ))}
          </div>
          {continued && (
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
        <div class="add-columns" role="tabpanel" id={panelId} aria-labelledby={`${panelId}-${draft.tab}`}>
          {draft.tab === "form" ? (
            <>
              <ServerForm form={draft.form} errors={check.errors} attempted={attempted} onEdit={editForm} />
              <div class="add-side">
                {check.warnings.length > 0 && <CheckPanel check={{ ...check, errors: [] }} empty={false} />}
              </div>
            </>
          ) : (
            <AddJson draft={draft} check={check} attempted={attempted} />
          )}
        </div>
      </div>
    </Dialog>
  );
}
