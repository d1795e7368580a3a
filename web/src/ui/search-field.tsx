// A search field with its icon.

import { messages } from "../i18n";
import { Icon } from "./icon";

interface Props {
  label: string;
  value: string;
  onChange(value: string): void;
  inputRef?: { current: HTMLInputElement | null };
  onKeyDown?(event: KeyboardEvent): void;
}

export function SearchField({ label, value, onChange, inputRef, onKeyDown }: Props) {
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        {...(inputRef && { ref: inputRef })}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => onKeyDown?.(event)}
      />
      {value !== "" && (
        <button
          type="button"
          class="search-clear"
          aria-label={messages.value.servers.clearSearch}
          onClick={(event) => {
            onChange("");
            event.currentTarget.parentElement?.querySelector("input")?.focus();
          }}
        >
          <Icon name="x" size={14} />
        </button>
      )}
    </div>
  );
}
