// What a request looks like is the person's and the extensions' to say, after the chat has put it together. Nothing that
// they take out is put back.

import type { Message } from "./endpoint";

/** The body of a request. */
export interface ChatRequest {
  model: string;
  messages: readonly Message[];
  tools?: unknown;
  [field: string]: unknown;
}

/** The settings hook: an event at `window` whose `detail` is the request, for listeners to change. */
export const SETTINGS_READY = "chat-settings-ready";

/** Lets the hook, and then the person's own fields, at a request. A field that is `null` there is left out. */
export function applySettings(request: ChatRequest, fields: Readonly<Record<string, unknown>>): void {
  dispatchEvent(new CustomEvent<ChatRequest>(SETTINGS_READY, { detail: request }));
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) delete request[name];
    else request[name] = value;
  }
}
