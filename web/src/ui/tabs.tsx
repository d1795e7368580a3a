// Tabs over one panel. Arrows change between them; one that cannot be opened now says why when it is tried.

import type { ComponentChildren } from "preact";

interface Props<T extends string> {
  label: string;
  /** Ids of the tabs and of the panel begin with it; see `panelAttributes`. */
  id: string;
  tab: T;
  tabs: ReadonlyArray<readonly [T, ComponentChildren]>;
  onChange(tab: T): void;
}

export function Tabs<T extends string>({ label, id, tab, tabs, onChange }: Props<T>) {
  return (
    <div
      role="tablist"
      aria-label={label}
      class="tabs"
      onKeyDown={(event) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (step === 0) return;
        const at = tabs.findIndex(([one]) => one === tab);
        const next = tabs[(at + step + tabs.length) % tabs.length];
        if (!next) return;
        onChange(next[0]);
        event.currentTarget.querySelector<HTMLElement>(`[data-tab=${next[0]}]`)?.focus();
      }}
    >
      {tabs.map(([one, words]) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`${id}-${one}`}
          data-tab={one}
          aria-selected={one === tab}
          aria-controls={id}
          tabIndex={one === tab ? 0 : -1}
          onClick={() => onChange(one)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

/** What makes an element the panel of the tabs with this id. */
export function panelAttributes(id: string, tab: string) {
  return { role: "tabpanel", id, "aria-labelledby": `${id}-${tab}` } as const;
}
