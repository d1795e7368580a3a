// Short results of what a person did: shown at the lower edge and read out by screen readers.

import { signal } from "@preact/signals";
import type { Problem } from "../bridge/problem";

export interface Notice {
  id: number;
  text: string;
  problem?: Problem;
  /** Offered as "Undo". */
  undo?: () => void;
}

const SHOWN_MS = 6_000;
const SHOWN_WITH_ACTION_MS = 15_000;

export const notices = signal<readonly Notice[]>([]);
let nextId = 1;

/** Shows a result for a while. */
export function say(text: string, options: { undo?: () => void } = {}): void {
  const id = nextId++;
  show({ id, text, ...options });
  setTimeout(() => dismiss(id), options.undo ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

/** Shows why something did not work, until it is dismissed. */
export function complain(text: string, problem: Problem): void {
  show({ id: nextId++, text, problem });
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

function show(notice: Notice): void {
  notices.value = [...notices.value.slice(-2), notice];
}
