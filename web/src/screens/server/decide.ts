// Decisions about tools as a person makes them: saved, said, and offered back.

import { problemOf } from "../../bridge/problem";
import { messages } from "../../i18n";
import { decide, decisionsNow, type Decisions } from "../../state/catalogs";
import { complain, say } from "../../state/notices";
import { aboutDecisions } from "../../state/servers";

export async function decideWithUndo(id: string, changes: Decisions, done: string): Promise<void> {
  const about = aboutDecisions(id);
  const failed = (error: unknown) => complain(messages.value.tools.notSaved, problemOf(error), about);
  const before = decisionsNow(id, changes.keys());
  try {
    await decide(id, changes);
  } catch (error) {
    failed(error);
    return;
  }
  say(done, {
    about,
    undo: () => {
      decide(id, before).then(() => say(messages.value.tools.undone, { about }), failed);
    },
  });
}
