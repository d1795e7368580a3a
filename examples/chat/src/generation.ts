// A generation: ask the model, make its calls, ask again, until it answers or the generation has to end.

import { LegacyRoot } from "@toolgate/core/schema";
import type { LegacyApi, LegacyToolDescriptor } from "@toolgate/manager";

import { carryOut } from "./batch";
import type { Endpoint, Message } from "./endpoint";
import { askModel } from "./round";

/** How often the model is asked at most. */
const MOST_ROUNDS = 20;

/** What a generation works with. */
export interface Chat {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** The person's own fields of a request. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Toolgate's tools. */
  readonly legacy: LegacyApi;
  /** Stops the generation, and cancels the call that is under way. */
  readonly signal: AbortSignal;
  /** Told of every message that is kept. */
  onMessage(message: Message): void;
  /** Told of what a person should know, a tool that is left out for example. */
  onNotice(text: string): void;
}

/** Why a generation ended. */
export type Ended =
  | { readonly kind: "answered" | "stopped" | "too_many_rounds" }
  | { readonly kind: "outcome_unknown"; readonly code: string; readonly message: string };

/** Goes on with a conversation. What is kept of it is added to `messages`. */
export async function generate(chat: Chat, messages: Message[]): Promise<Ended> {
  // Frozen for the whole generation: what is decided later counts in the next one, but for what is withdrawn.
  const root = new LegacyRoot(await availableTools(chat));
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const said = await askModel(chat, root, messages);
      const calls = said.tool_calls ?? [];
      if (calls.length === 0) {
        keep(chat, messages, [said]);
        return { kind: "answered" };
      }
      const batch = await carryOut(chat, root, calls);
      if ("unknown" in batch) return { kind: "outcome_unknown", ...batch.unknown };
      // The calls and all their results, or nothing of them.
      keep(chat, messages, [said, ...batch.results]);
      if (chat.signal.aborted) return { kind: "stopped" };
    }
    return { kind: "too_many_rounds" };
  } catch (error) {
    if (chat.signal.aborted) return { kind: "stopped" };
    throw error;
  } finally {
    root.free();
  }
}

/** The tools of MCP servers. That there are none, for whatever reason, keeps nobody from chatting. */
async function availableTools({ legacy, onNotice }: Chat): Promise<readonly LegacyToolDescriptor[]> {
  try {
    const { tools, diagnostics } = await legacy.listTools();
    for (const { nativeName, registrationId, code, message } of diagnostics) {
      onNotice(`Left out: ${nativeName ?? registrationId ?? "a server"}. ${message} (${code})`);
    }
    return tools;
  } catch (error) {
    onNotice(`No MCP tools: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

function keep(chat: Chat, messages: Message[], kept: readonly Message[]): void {
  messages.push(...kept);
  kept.forEach((message) => chat.onMessage(message));
}
