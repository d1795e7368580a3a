// A question before something is destroyed: what goes with it, and a way out that has the focus.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { problemOf, type Problem } from "../bridge/problem";
import { messages } from "../i18n";
import { closeDialog } from "../state/dialogs";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { ProblemBox } from "../ui/notice";

interface ConfirmProps {
  title: string;
  confirm: string;
  act(): Promise<void>;
  children: ComponentChildren;
}

export function Confirm({ title, confirm, act, children }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await act();
      closeDialog();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={closeDialog}
      actions={
        <>
          <Button kind="plain" autofocus onClick={closeDialog}>
            {messages.value.common.cancel}
          </Button>
          <Button kind="danger" icon="trash" busy={busy} onClick={() => void run()}>
            {confirm}
          </Button>
        </>
      }
    >
      <div class="confirm">
        {children}
        {problem && <ProblemBox problem={problem} />}
      </div>
    </Dialog>
  );
}
