// Core's second module: the form of a tool's arguments, their comparison with its schema, what a model reads of an
// outcome, the preview of an import. Large, so it is loaded where a tool is tried or servers are imported. A chunk's business: nothing of the first load imports this.

import init, {
  ToolForm,
  checkArguments,
  importMany,
  numberOrText,
  placeOf,
  readOutcome,
  removeAt,
  setAt,
} from "@toolgate/core/schema";
import wasmUrl from "@toolgate/core/schema.wasm";
import { signal } from "@preact/signals";

export type { ArgumentsCheck, ArgumentsWarning, FormControl, FormNode } from "@toolgate/core/schema";
export { ToolForm, checkArguments, importMany, numberOrText, placeOf, readOutcome, removeAt, setAt };

export const schemaState = signal<"no" | "loading" | "ready" | "failed">("no");

/** Loads it where it is not there yet; after a failure, tries again. */
export function loadSchema(): void {
  if (schemaState.peek() === "loading" || schemaState.peek() === "ready") return;
  schemaState.value = "loading";
  init({ module_or_path: fetch(wasmUrl) }).then(
    () => (schemaState.value = "ready"),
    () => (schemaState.value = "failed"),
  );
}
