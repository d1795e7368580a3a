// Core in the page: the same rules as in the host, as WebAssembly, for checking while a person types. Loaded once, by
// streaming; until it is there, and where it cannot be loaded, a check gives nothing and the host still decides.

import init, * as wasm from "@toolgate/core";
import wasmUrl from "@toolgate/core/core.wasm";
import { signal } from "@preact/signals";
import type { AddPreview, ServerConfig } from "../generated/types";

export const coreState = signal<"loading" | "ready" | "failed">("loading");

export function loadCore(): void {
  init({ module_or_path: fetch(wasmUrl) }).then(
    () => (coreState.value = "ready"),
    () => (coreState.value = "failed"),
  );
}

/** What a text for "add one server" says (manager contract §4). */
export function readAddText(text: string): AddPreview | undefined {
  return coreState.value === "ready" ? wasm.addOne(text) : undefined;
}

/** The same for a text in which a saved server is edited; `saved` as in `checkServer`. */
export function readEditText(text: string, saved: ServerConfig): AddPreview | undefined {
  return coreState.value === "ready" ? wasm.editOne(text, saved) : undefined;
}

export type ServerCheck = wasm.ServerCheck;

/** Checks a server as a form describes it; `saved` is a saved server's configuration as it was read, masked or not. */
export function checkServer(
  displayName: string,
  config: ServerConfig,
  otherNames: readonly string[],
  saved?: ServerConfig,
): ServerCheck | undefined {
  if (coreState.value !== "ready") return undefined;
  return wasm.checkServer(displayName, config, otherNames, saved);
}

/** A JSON document with line breaks and indentation, every number and string spelled as it came. */
export function prettyJson(text: string): string {
  return coreState.value === "ready" ? wasm.prettyJson(text) : text;
}
