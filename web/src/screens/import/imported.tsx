// After an import: the new servers, all paused, with the way to activate each.

import type { Imported } from "../../generated/types";
import { messages } from "../../i18n";
import { closeDialog, openDialog } from "../../state/dialogs";
import { hrefOf } from "../../state/route";
import { serverById } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Box } from "../../ui/notice";
import { CheckList } from "../config/check-panel";
import { words } from "./words";

export function ImportedServers({ imported }: { imported: Imported }) {
  const texts = words.value;
  const { servers } = messages.value;
  return (
    <div class="confirm">
      <Box tone="success" title={texts.doneTitle(imported.servers.length)}>
        <p>{texts.doneText}</p>
      </Box>
      <ul class="imported">
        {imported.servers.map(({ id, displayName, target, transport }) => {
          const now = serverById(id);
          return (
            <li key={id}>
              <span class="pick-words">
                <a href={hrefOf({ serverId: id })} onClick={closeDialog}>
                  <Untrusted text={displayName} />
                </a>
                <span class="import-target muted">
                  <Icon name={transport === "http" ? "globe" : "terminal"} size={14} />
                  <span class="visually-hidden">{servers.transport[transport]}</span>
                  <Untrusted text={target} />
                </span>
              </span>
              {now?.state === "paused" && (
                <Button
                  icon="plug"
                  aria-label={texts.activateLabel(visible(displayName))}
                  onClick={() => (openDialog.value = { kind: "activate", id })}
                >
                  {texts.activate}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {imported.notes.length > 0 && (
        <CheckList
          icon="info"
          tone="info"
          title={texts.notes(imported.notes.length)}
          items={imported.notes}
          onGoTo={undefined}
        />
      )}
    </div>
  );
}
