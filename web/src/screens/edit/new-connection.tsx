// What a save of an active server would connect to from then on, whole and in view before it is saved.

import type { ServerConfig } from "../../generated/types";
import { messages } from "../../i18n";
import { Untrusted } from "../../text/untrusted";
import { Box } from "../../ui/notice";
import { editWords } from "../config/edit-words";
import { PLACEHOLDER, words } from "../config/words";

interface Props {
  config: ServerConfig;
  saved: ServerConfig;
  /** Where the saved configuration leads, without what is secret. */
  target: string;
}

export function NewConnection({ config, saved, target }: Props) {
  const edit = editWords.value;
  const { activate } = messages.value;
  const covered = (text: string) => text.includes(PLACEHOLDER);
  const sameUrl = config.type === "http" && saved.type === "http" && config.url === saved.url;
  return (
    <div role="status">
      <Box tone="warning" title={edit.activeTitle}>
        {config.type === "http" ? (
          sameUrl ? (
            <p>
              <Untrusted text={edit.sameEndpoint(covered(config.url) ? target : config.url)} />
            </p>
          ) : (
            <>
              <p>{words.value.followed(activate.endpoint)}</p>
              <p class="exact">
                <Untrusted text={config.url} />
              </p>
            </>
          )
        ) : (
          <>
            <p>{words.value.followed(activate.command)}</p>
            <ol class="exact">
              {[config.command, ...config.args].map((part, index) => (
                <li key={index}>
                  <Untrusted text={part} />
                </li>
              ))}
            </ol>
          </>
        )}
        <p>{edit.activeText}</p>
      </Box>
    </div>
  );
}
