// Words that belong to one part of the page and are loaded with it. English comes first; the other languages have exactly
// its keys, or the type check fails.

import { computed, type ReadonlySignal } from "@preact/signals";
import { spoken } from ".";
import type { Language } from "../state/preferences";

export function wordsOf<T>(all: Record<Language, T>): ReadonlySignal<T> {
  return computed(() => all[spoken.value]);
}
