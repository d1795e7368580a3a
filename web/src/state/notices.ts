// Short results of what a person did: shown at the lower edge and read out by screen readers.

import { signal } from "@preact/signals";
import type { Failure } from "../bridge/problem";

export interface Notice {
  id: number;
  text: string;
  problem?: Failure;
  /** Offered as "Undo". */
  undo?: () => void;
  /** What to do next, offered beside the text. */
  action?: { readonly label: string; readonly act: () => void };
  /** What was tried, such as `refresh <server>`: a problem goes when that succeeds. */
  about?: string;
}

const SHOWN_MS = 6_000;
const SHOWN_WITH_ACTION_MS = 15_000;

export const notices = signal<readonly Notice[]>([]);
let nextId = 1;

/** Shows a result for a while. With `about`, what stood in its way before is over, and so is a next step it offers once it is done. */
export function say(text: string, { undo, action, about }: Pick<Notice, "undo" | "action" | "about"> = {}): void {
  const id = nextId++;
  if (about !== undefined) settle(about);
  show({ id, text, ...(undo && { undo }), ...(action && { action, ...(about !== undefined && { about }) }) });
  setTimeout(() => dismiss(id), undo || action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

/** Shows why something did not work, until it is dismissed, `about` succeeds, or the person goes to another screen. */
export function complain(text: string, problem: Failure, about?: string): void {
  if (about !== undefined) settle(about);
  show({ id: nextId++, text, problem, ...(about !== undefined && { about }) });
}

/** What this is about went well, or does not matter any more. */
export function settle(about: string): void {
  const left = notices.value.filter((notice) => notice.about !== about);
  if (left.length < notices.value.length) notices.value = left;
}

/** The person is somewhere else now: what failed on the screen before is no longer in question there. */
export function leaveScreen(): void {
  const left = notices.value.filter((notice) => !notice.problem);
  if (left.length < notices.value.length) notices.value = left;
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** Takes back what a lost connection caused; it is there again. */
export function forgetOffline(): void {
  const over = (problem: Failure | undefined) => problem?.kind === "offline" || problem?.kind === "unloaded";
  notices.value = notices.value.filter((notice) => !over(notice.problem));
}

function show(notice: Notice): void {
  // One result at a time: an older one may say what is no longer so. Problems stay until they are dismissed.
  const problems = notices.value.filter((other) => other.problem).slice(-2);
  notices.value = [...problems, notice];
}
