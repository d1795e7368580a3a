// What core says about a text, as marks at its lines.

import { useMemo } from "preact/hooks";
import type { EditorMark } from "../../editor/json-editor";
import type { Diagnostic } from "../../generated/types";
import { messages } from "../../i18n";
import { explainReason } from "./reasons";

/** The same array for as long as nothing about it changes: the editor draws marks anew for another one. */
export function useMarks(errors: readonly Diagnostic[], notes: readonly Diagnostic[]): readonly EditorMark[] {
  return useMemo(
    () => [...errors.flatMap(mark("error")), ...notes.flatMap(mark("info"))],
    [JSON.stringify([errors, notes]), messages.value],
  );
}

function mark(severity: EditorMark["severity"]) {
  return (item: Diagnostic): EditorMark[] => {
    if (item.line === undefined) return [];
    const { what, next } = explainReason(item);
    return [{ line: item.line, column: item.column ?? 1, severity, text: [what, next].filter(Boolean).join("\n") }];
  };
}
