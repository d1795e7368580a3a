// The page's language: the dictionaries, the one in force, and the words for codes.

import { computed, effect, signal } from "@preact/signals";
import { codesEn } from "./codes.en";
import { en, type Messages } from "./en";
import { sentences } from "./sentences";
import { language, type Language } from "../state/preferences";
import type { Code, Diagnostic } from "../generated/types";

/** What a code means to a person: what happened, and what to do next. */
export type CodeText = readonly [what: string, next: string];
export type CodeTexts = Record<Code, CodeText>;

interface Dictionary {
  messages: Messages;
  codes: CodeTexts;
}

const english: Dictionary = { messages: en, codes: codesEn };

/** Words of the other languages: each is loaded when it is chosen. */
const load: Record<Exclude<Language, "en">, () => Promise<Dictionary>> = {
  zh: () => import("./chinese"),
};

const loaded = signal<Partial<Record<Language, Dictionary>>>({ en: english });
const loading = new Map<Language, Promise<void>>();

/**
 * Resolves once the words of the chosen language are here, or cannot be had: then the page speaks English, and they are
 * asked for again when the language is chosen again.
 */
export function wordsOfChoice(): Promise<void> {
  const chosen = language.value;
  if (chosen === "en" || loaded.peek()[chosen]) return Promise.resolve();
  let asked = loading.get(chosen);
  if (!asked) {
    asked = load[chosen]()
      .then(
        (words) => void (loaded.value = { ...loaded.peek(), [chosen]: words }),
        () => undefined,
      )
      .finally(() => loading.delete(chosen));
    loading.set(chosen, asked);
  }
  return asked;
}
effect(() => void wordsOfChoice());

/** The language that the page speaks: the chosen one, as soon as its words are here. */
export const spoken = computed<Language>(() => (loaded.value[language.value] ? language.value : "en"));
effect(() => {
  document.documentElement.lang = spoken.value === "zh" ? "zh-CN" : "en";
});

/** The languages by their own names, as a switch offers them. */
export const LANGUAGES: ReadonlyArray<readonly [Language, string]> = [
  ["en", "English"],
  ["zh", "简体中文"],
];

const dictionary = computed(() => loaded.value[spoken.value] ?? english);

/** The texts of the language in force. */
export const messages = computed(() => dictionary.value.messages);

/** The words for a code. A host newer than this page may send one that is not known here. */
export function codeText(code: Code): CodeText {
  const texts: Partial<CodeTexts> = dictionary.value.codes;
  return texts[code] ?? [messages.value.problem.unknownCode(code), ""];
}

/** Both parts of a code's words in one line. */
export function codeLine(code: Code): string {
  return inOneLine(...codeText(code));
}

/** What happened, which has no full stop of its own, and what to do next. */
export function inOneLine(what: string, next: string): string {
  return next === "" ? what : sentences(`${what}${spoken.value === "zh" ? "。" : "."}`, next);
}

/** A diagnostic as a person reads it: what is wrong, what to do next, and the particulars where `next` lacks them. */
export interface Explained {
  what: string;
  next: string;
  detail: string;
}

/**
 * Core and the host speak English, with the particulars of the case. In English their sentence stands in the place of
 * our general one; in another language ours comes first and theirs below it.
 */
export function explain({ code, message }: Pick<Diagnostic, "code" | "message">): Explained {
  const [what, next] = codeText(code);
  if (message === "") return { what, next, detail: "" };
  return spoken.value === "en" ? { what, next: message, detail: "" } : { what, next, detail: message };
}
