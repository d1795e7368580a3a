// Where connections are kept, and what a save moves there: said before it happens, as other programs may share the folder.

import { messages } from "../i18n";
import { sentences } from "../i18n/sentences";
import { hostInfo } from "../state/bridge";
import { Box } from "../ui/notice";

/** For the preferences: where connections are kept, and how many are not there yet. */
export function Kept() {
  const { credentials: texts } = messages.value;
  const kept = hostInfo.value?.credentials;
  if (!kept) return null;
  return <p>{sentences(texts.kept[kept.provider], kept.otherForm ? texts.others(kept.otherForm) : "")}</p>;
}

/** For the edit dialog of a server, while some are kept elsewhere: where its save keeps the connection, and what that may end. */
export function MovesOnSave({ name }: { name: string }) {
  const { credentials: texts } = messages.value;
  const kept = hostInfo.value?.credentials;
  if (!kept?.otherForm) return null;
  return (
    <Box tone="info">
      <p>
        {sentences(texts.saved[kept.provider](name), kept.provider === "inline" ? "" : texts.movesOut(kept.otherForm))}
      </p>
    </Box>
  );
}
