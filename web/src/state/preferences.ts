// What a person chose about the page itself; remembered in this browser only.

import { effect, signal, type Signal } from "@preact/signals";

export type Language = "en" | "zh";
export type Theme = "auto" | "light" | "dark";

function remembered<T extends string>(key: string, values: readonly T[], fallback: T): Signal<T> {
  const read = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // Storage can be forbidden; the page works without.
    }
  };
  const saved = read();
  const state = signal<T>(values.find((value) => value === saved) ?? fallback);
  let first = true;
  effect(() => {
    const value = state.value;
    if (first) {
      first = false;
      return;
    }
    try {
      localStorage.setItem(key, value);
    } catch {
      // Then it holds until the page is closed.
    }
  });
  return state;
}

const ofNavigator: Language = navigator.languages
  .find((tag) => /^(en|zh)\b/i.test(tag))
  ?.toLowerCase()
  .startsWith("zh")
  ? "zh"
  : "en";

export const language = remembered<Language>("toolgate.language", ["en", "zh"], ofNavigator);
export const theme = remembered<Theme>("toolgate.theme", ["auto", "light", "dark"], "auto");

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});
