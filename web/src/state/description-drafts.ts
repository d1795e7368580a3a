// A person's own descriptions of a tool while they are written, and the way from there to an override and back. They live
// here and not in the row, as a row leaves the document when it is scrolled out of sight.

import { signal } from "@preact/signals";
import type { DescriptionOverride } from "../generated/types";

export interface DescriptionDraft {
  /** The tool's; empty where the server's own counts. */
  description: string;
  /** By property. A map, as a property may be called `constructor`. */
  properties: ReadonlyMap<string, string>;
}

const drafts = signal<ReadonlyMap<string, DescriptionDraft>>(new Map());

/** The draft of a tool, by its id; nothing where none is being written. */
export function descriptionDraftOf(toolId: string): DescriptionDraft | undefined {
  return drafts.value.get(toolId);
}

export function keepDescriptionDraft(toolId: string, draft: DescriptionDraft): void {
  drafts.value = new Map(drafts.value).set(toolId, draft);
}

export function dropDescriptionDraft(toolId: string): void {
  const rest = new Map(drafts.value);
  rest.delete(toolId);
  drafts.value = rest;
}

export function draftOf(override: DescriptionOverride | undefined): DescriptionDraft {
  return { description: override?.description ?? "", properties: propertiesOf(override) };
}

/** What a draft comes to; null where it says nothing of its own, which removes the override. */
export function overrideOf(draft: DescriptionDraft): DescriptionOverride | null {
  const { description } = draft;
  const properties = [...draft.properties].filter(([, text]) => text !== "");
  if (description === "" && properties.length === 0) return null;
  return {
    ...(description !== "" && { description }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  };
}

/** The override without some of its properties; null where nothing is left. */
export function withoutProperties(override: DescriptionOverride, names: readonly string[]): DescriptionOverride | null {
  const properties = [...propertiesOf(override)].filter(([name]) => !names.includes(name));
  if (properties.length === 0 && override.description === undefined) return null;
  const { description } = override;
  return {
    ...(description !== undefined && { description }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  };
}

export function propertiesOf(override: DescriptionOverride | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(override?.properties ?? {}));
}
