// Naming a partner, new or not, and removing one with what it destroys.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "../../bridge/problem";
import type { Diagnostic } from "../../generated/types";
import { messages } from "../../i18n";
import { closeDialog } from "../../state/dialogs";
import { say } from "../../state/notices";
import { createPartner, partnerById, removePartner, renamePartner } from "../../state/partners";
import { go, route } from "../../state/route";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { ProblemBox } from "../../ui/notice";
import { Confirm } from "../confirm";
import { newPartnerName } from "./new-partner-name";
import { words } from "./words";

/** Without an id it is a new partner, whose name is kept until it is created. */
export function PartnerNameDialog({ id }: { id?: string }) {
  const texts = words.value;
  const before = id === undefined ? undefined : partnerById(id);
  const [renamed, setRenamed] = useState(before?.name ?? "");
  const name = id === undefined ? newPartnerName.value : renamed;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (problem) field.current?.focus();
  }, [problem]);
  if (id !== undefined && !before) return null;

  // What is wrong with the name stands at its field.
  const error: Diagnostic | undefined =
    problem?.kind === "refused" && problem.refusal.code.startsWith("mcp.display_name_") ? problem.refusal : undefined;

  const save = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const partner = id === undefined ? await createPartner(name) : await renamePartner(id, name);
      closeDialog();
      if (id === undefined) {
        newPartnerName.value = "";
        go({ partnerId: partner.id });
      }
      say((id === undefined ? texts.created : texts.renamed)(visible(partner.name)));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={id === undefined ? texts.newTitle : texts.renameTitle(visible(before?.name ?? ""))}
      onClose={closeDialog}
      actions={
        <>
          <Button onClick={closeDialog}>{messages.value.common.cancel}</Button>
          <Button kind="primary" busy={busy} onClick={() => void save()}>
            {id === undefined ? texts.create : texts.saveName}
          </Button>
        </>
      }
    >
      <div class="confirm">
        {problem && !error && <ProblemBox problem={problem} />}
        <Field label={texts.name} hint={texts.nameHint} error={error}>
          {(attributes) => (
            <input
              {...attributes}
              ref={field}
              autofocus
              value={name}
              placeholder={texts.namePlaceholder}
              autocomplete="off"
              onInput={(event) => {
                if (id === undefined) newPartnerName.value = event.currentTarget.value;
                else setRenamed(event.currentTarget.value);
              }}
              onKeyDown={(event) => {
                if (event.key === "Enter" && !event.isComposing && !busy) void save();
              }}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}

export function RemovePartnerDialog({ id }: { id: string }) {
  const texts = words.value;
  const partner = partnerById(id);
  if (!partner) return null;
  const name = visible(partner.name);
  return (
    <Confirm
      title={texts.removeTitle(name)}
      confirm={texts.removeConfirm}
      act={async () => {
        await removePartner(id);
        if (route.peek().partnerId === id) go({ partnerId: "" });
        say(texts.removed(name));
      }}
    >
      <p>{texts.removeText}</p>
      <ul class="bullets">
        <li>{texts.removeGrants(partner.grants.length)}</li>
        <li>{texts.removeSessions}</li>
      </ul>
      <p class="muted">{texts.removeServers}</p>
    </Confirm>
  );
}
