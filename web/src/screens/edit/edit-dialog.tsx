// "Edit": a saved server in the form, its secrets covered until they are asked for. Saving is refused where something else
// was saved since; then the draft stays and the person decides.

import { useEffect, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "../../bridge/problem";
import { checkServer } from "../../core";
import { messages } from "../../i18n";
import { closeDialog } from "../../state/dialogs";
import { differs, dropEditDraft, editDraftOf, freshDraft, keepEditDraft } from "../../state/edit-drafts";
import { say } from "../../state/notices";
import { configOf, doubledName, fitsForm } from "../../state/server-form";
import { readConfig, saveConfig, serverById, servers } from "../../state/servers";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Spinner } from "../../ui/icon";
import { Box, ProblemBox } from "../../ui/notice";
import { CheckPanel } from "../config/check-panel";
import { ServerForm } from "../config/server-form";

export function EditDialog({ id }: { id: string }) {
  const { edit, add, common } = messages.value;
  const draft = editDraftOf(id);
  const [continued, setContinued] = useState(draft !== undefined && differs(draft));
  const [unreadable, setUnreadable] = useState<Problem | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [conflict, setConflict] = useState(false);
  const [cannotShow, setCannotShow] = useState(false);
  const [busy, setBusy] = useState<"save" | "reveal" | undefined>(undefined);
  const [attempted, setAttempted] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const name = visible(serverById(id)?.displayName ?? draft?.read.displayName ?? "");

  const load = async (reveal: boolean) => {
    setUnreadable(undefined);
    try {
      const read = await readConfig(id, reveal);
      if (reveal && !fitsForm(read.config)) setCannotShow(true);
      else keepEditDraft(id, freshDraft(read, reveal));
    } catch (error) {
      if (reveal) setProblem(problemOf(error));
      else setUnreadable(problemOf(error));
    }
  };
  // A draft without changes may be out of date by now; one with changes is the person's.
  useEffect(() => {
    if (draft && differs(draft)) return;
    dropEditDraft(id);
    void load(false);
  }, [id]);

  const others = servers.value.filter((server) => server.id !== id).map((server) => server.displayName);
  const config = draft && configOf(draft.form);
  const check = draft && config && checkServer(draft.form.name, config, others, draft.read.config);
  const doubled = draft && (doubledName(draft.form.headers) ?? doubledName(draft.form.env));
  const changed = draft !== undefined && differs(draft);

  const save = async () => {
    setAttempted(true);
    if (!draft || !config) return;
    if (doubled !== undefined || (check?.errors.length ?? 0) > 0) {
      requestAnimationFrame(() => body.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    setBusy("save");
    setProblem(undefined);
    try {
      await saveConfig({ id, displayName: draft.form.name, config, revision: draft.read.revision });
      dropEditDraft(id);
      closeDialog();
      say(edit.saved(visible(draft.form.name.trim())));
    } catch (error) {
      const why = problemOf(error);
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

  return (
    <Dialog
      title={edit.title(name)}
      wide
      onClose={closeDialog}
      actions={
        <>
          <p class="foot-note">{draft && edit.connectionNote}</p>
          <Button onClick={closeDialog}>{common.cancel}</Button>
          {unreadable ? (
            <Button kind="primary" icon="refresh" onClick={() => void load(false)}>
              {common.retry}
            </Button>
          ) : (
            <Button kind="primary" busy={busy === "save"} disabled={!changed} onClick={() => void save()}>
              {busy === "save" ? edit.saving : edit.save}
            </Button>
          )}
        </>
      }
    >
      <div ref={body} class="add">
        {unreadable && <ProblemBox problem={unreadable} />}
        {!draft && !unreadable && (
          <p class="progress" role="status">
            <Spinner /> {edit.loading}
          </p>
        )}
        {draft && (continued || conflict) && (
          <Box
            tone={conflict ? "warning" : "info"}
            actions={<Button onClick={() => void discard()}>{edit.discard}</Button>}
          >
            <p>{conflict ? edit.conflict : add.draftKept}</p>
          </Box>
        )}
        {problem && <ProblemBox problem={problem} />}
        {draft && (
          <div class="add-columns">
            <ServerForm
              form={draft.form}
              errors={check?.errors ?? []}
              attempted={attempted}
              fixedTransport
              onEdit={(change) => keepEditDraft(id, { ...draft, form: { ...draft.form, ...change } })}
            />
            <div class="add-side">
              {!draft.revealed && (
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
                  {changed && <p class="detail">{edit.revealWhyNot}</p>}
                  {cannotShow && <p class="detail">{edit.cannotShow}</p>}
                </Box>
              )}
              {check && check.warnings.length > 0 && (
                <CheckPanel check={{ errors: [], notes: [], warnings: check.warnings }} empty={false} />
              )}
            </div>
          </div>
        )}
      </div>
    </Dialog>
  );
}
