// A labelled field of a form with its hint and its error.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { messages } from "../i18n";
import { codeLine } from "../i18n";
import type { Diagnostic } from "../generated/types";
import { Icon } from "./icon";

interface Props {
  label: string;
  hint?: string;
  optional?: boolean;
  error?: Diagnostic | undefined;
  /** What to say in place of the words for the error's code. */
  errorText?: string | undefined;
  /** Stands below the hint. */
  note?: ComponentChildren;
  /** Gets the attributes that tie the control to label, hint and error. */
  children(attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }): ComponentChildren;
}

export function Field({ label, hint: always, optional = false, error, errorText, note, children }: Props) {
  const id = useId();
  // An error says what the hint says, and more.
  const hint = error ? undefined : always;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="muted">{messages.value.common.optional}</span>}
      </label>
      {children({
        id,
        ...(described !== "" && { "aria-describedby": described }),
        ...(error && { "aria-invalid": true as const }),
      })}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="circleAlert" size={14} />
          <span>{errorText ?? codeLine(error.code)}</span>
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {note}
    </div>
  );
}
