// One of a few, as a segmented control: a radio group whose arrows choose.

import { useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../i18n";
import { Icon, type IconName } from "./icon";

export interface Option<T extends string> {
  value: T;
  label: string;
  icon?: IconName;
  hint?: string;
  /** How many things the option stands for. */
  count?: number;
}

interface Props<T extends string> {
  label: string;
  value: T;
  options: ReadonlyArray<Option<T>>;
  onChange(value: T): void;
  class?: string;
  /** `false` takes the group out of the tab order: for rows of a list that is one stop. */
  tabbable?: boolean;
  /** Shows the icon of the chosen option only. */
  iconOfChosen?: boolean;
}

export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
  tabbable = true,
  iconOfChosen = false,
  ...rest
}: Props<T>) {
  const choose = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = options.findIndex((option) => option.value === value);
    const next = options[(at + step + options.length) % options.length];
    if (!next) return;
    onChange(next.value);
  };
  // Whatever chose it, an arrow here or a key of the row: the focus stands on the chosen one, so that Space keeps it.
  const group = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!group.current?.contains(document.activeElement)) return;
    group.current.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
  }, [value]);
  return (
    <div ref={group} role="radiogroup" aria-label={label} class={`choice ${rest.class ?? ""}`} onKeyDown={choose}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          data-value={option.value}
          title={option.hint}
          tabIndex={tabbable && option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.icon && (!iconOfChosen || option.value === value) && <Icon name={option.icon} size={14} />}
          <span>{option.label}</span>
          {option.count !== undefined && (
            <>
              {" "}
              <span class="count">{option.count.toLocaleString(messages.value.locale)}</span>
            </>
          )}
        </button>
      ))}
    </div>
  );
}
