// Copies a text; says so in its own place.

import { useState } from "preact/hooks";
import { messages } from "../i18n";
import { Button } from "./button";

export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const { common } = messages.value;
  return (
    <Button
      kind="quiet"
      icon={copied ? "check" : "copy"}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 2_000);
        });
      }}
    >
      <span aria-live="polite">{copied ? common.copied : common.copy}</span>
    </Button>
  );
}
