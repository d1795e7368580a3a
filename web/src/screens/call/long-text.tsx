// A text of a server of any length: the beginning at once, more on demand, so that 4 MiB do not stop the page. Copying
// takes the whole.

import { useState } from "preact/hooks";
import { messages } from "../../i18n";
import { Untrusted } from "../../text/untrusted";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { words } from "./words";

/** Characters shown at first. */
const FIRST = 20_000;
/** How many times as many each further press shows. */
const STEP = 4;

interface Props {
  text: string;
  /** What it is, for a screen reader: the place can be scrolled by keys. */
  label: string;
  /** Prose keeps its font; everything else is as code. */
  code?: boolean;
}

export function LongText({ text, label, code = false }: Props) {
  const [shown, setShown] = useState(FIRST);
  const texts = words.value;
  const { locale } = messages.value;
  return (
    <div class="long-text">
      <pre tabIndex={0} role="region" aria-label={label} class={code ? "code" : "as-prose"}>
        <Untrusted text={start(text, shown)} lines />
      </pre>
      <div class="long-text-foot">
        <CopyButton text={text} />
        {text.length > shown && (
          <>
            <Button kind="quiet" onClick={() => setShown(shown * STEP)}>
              {texts.more}
            </Button>
            <span class="hint">{texts.longText(shown.toLocaleString(locale), text.length.toLocaleString(locale))}</span>
          </>
        )}
      </div>
    </div>
  );
}

/** Not between the halves of a surrogate pair. */
function start(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
