// The page's language: the dictionaries, the one in force, and the words for codes.

import { computed } from "@preact/signals";
import { codesEn } from "./codes.en";
import { codesZh } from "./codes.zh";
import { en, type Messages } from "./en";
import { language, type Language } from "../state/preferences";
import { zh } from "./zh";
import type { Code, Diagnostic } from "../generated/types";

/** What a code means to a person: what happened, and what to do next. */
export type CodeText = readonly [what: string, next: string];
export type CodeTexts = Record<Code, CodeText>;

const dictionaries: Record<Language, { messages: Messages; codes: CodeTexts }> = {
  en: { messages: en, codes: codesEn },
  zh: { messages: zh, codes: codesZh },
};

/** The languages by their own names, as a switch offers them. */
export const LANGUAGES: ReadonlyArray<readonly [Language, string]> = [
  ["en", "English"],
  ["zh", "简体中文"],
];

const dictionary = computed(() => dictionaries[language.value]);

/** The texts of the language in force. */
export const messages = computed(() => dictionary.value.messages);

/** The words for a code. A host newer than this page may send one that is not known here. */
export function codeText(code: Code): CodeText {
  const texts: Partial<CodeTexts> = dictionary.value.codes;
  return texts[code] ?? [messages.value.problem.unknownCode(code), ""];
}

/** Both parts of a code's words in one line. */
export function codeLine(code: Code): string {
  const [what, next] = codeText(code);
  return next === "" ? what : `${what}${language.value === "zh" ? "。" : ". "}${next}`;
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
  return language.value === "en" ? { what, next: message, detail: "" } : { what, next, detail: message };
}
