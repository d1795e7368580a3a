// Rows of a name and a value: headers, environment variables.

import { useRef } from "preact/hooks";
import type { Pair } from "../state/server-form";
import { Button, IconButton } from "./button";

interface Props {
  legend: string;
  hint: string;
  pairs: readonly Pair[];
  onChange(pairs: readonly Pair[]): void;
  texts: {
    name(n: number): string;
    value(n: number): string;
    remove(n: number): string;
    add: string;
    namePlaceholder: string;
  };
  error?: string | undefined;
  /** What to say of a value, below it. */
  about?: ((value: string) => string | undefined) | undefined;
}

export function Pairs({ legend, hint, pairs, onChange, texts, error, about }: Props) {
  const group = useRef<HTMLFieldSetElement>(null);
  const set = (at: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)));
  const focusLater = (selector: string) =>
    requestAnimationFrame(() => group.current?.querySelector<HTMLElement>(selector)?.focus());
  return (
    <fieldset class="field pairs" ref={group}>
      <legend>{legend}</legend>
      <p class="hint">{hint}</p>
      {pairs.map((pair, index) => (
        <div class="pair" key={index}>
          <input
            aria-label={texts.name(index + 1)}
            placeholder={texts.namePlaceholder}
            value={pair.name}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set(index, { name: event.currentTarget.value })}
          />
          <input
            class="code"
            aria-label={texts.value(index + 1)}
            value={pair.value}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set(index, { value: event.currentTarget.value })}
          />
          <IconButton
            icon="x"
            label={texts.remove(index + 1)}
            onClick={() => {
              onChange(pairs.filter((_, other) => other !== index));
              focusLater(".pair-add");
            }}
          />
          {about?.(pair.value) && <p class="hint">{about(pair.value)}</p>}
        </div>
      ))}
      {error && <p class="field-error">{error}</p>}
      <Button
        kind="quiet"
        icon="plus"
        class="pair-add"
        onClick={() => {
          onChange([...pairs, { name: "", value: "" }]);
          focusLater(".pair:nth-last-of-type(1) input");
        }}
      >
        {texts.add}
      </Button>
    </fieldset>
  );
}
