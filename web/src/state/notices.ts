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

/** Takes back what a lost connection caused; it is there again. */
export function forgetOffline(): void {
  notices.value = notices.value.filter((notice) => notice.problem?.kind !== "offline");
}

function show(notice: Notice): void {
  // One result at a time: an older one may say what is no longer so. Problems stay until they are dismissed.
  const problems = notices.value.filter((other) => other.problem).slice(-2);
  notices.value = [...problems, notice];
}
