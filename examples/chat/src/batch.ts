// The calls of one answer of the model. They are settled all together: either each has a result, or none is kept.

import type { CallFailure, LegacyRoot } from "@toolgate/core/schema";
import type { McpTestCallOutcome } from "@toolgate/manager";

import type { ToolCall, ToolMessage } from "./endpoint";
import type { Chat } from "./generation";
import { runLocal } from "./local-tools";

export type Batch = { readonly results: readonly ToolMessage[] } | { readonly unknown: CallFailure };

/** Makes the calls, one after the other. */
export async function carryOut(chat: Chat, root: LegacyRoot, calls: readonly ToolCall[]): Promise<Batch> {
  const local = new Map<ToolCall, string>();
  const outcomes: string[] = [];
  for (const call of calls) {
    const result = runLocal(call.function.name);
    if (result !== undefined) {
      local.set(call, result);
      continue;
    }
    const outcome = await callMcp(chat, root, call);
    outcomes.push(JSON.stringify(outcome));
    // The generation is over with it, so nothing more is sent.
    if (outcome.outcome === "outcome_unknown") break;
  }
  const settled = root.settle(outcomes);
  if (settled.ended !== null) return { unknown: settled.ended };
  // What a model reads of an outcome, an error or not, is core's to say.
  const read = (settled.results ?? []).values();
  const results = calls.map((call): ToolMessage => {
    const content = local.get(call) ?? read.next().value?.content ?? "";
    return { role: "tool", tool_call_id: call.id, content };
  });
  return { results };
}

/** One call, as the name stands in this round. The arguments go out as the model wrote them. */
async function callMcp(chat: Chat, root: LegacyRoot, { function: called }: ToolCall): Promise<McpTestCallOutcome> {
  const { toolId, error } = root.resolve(called.name);
  if (error !== null) return { outcome: "not_sent", ...error };
  return chat.legacy.call({ toolId: toolId ?? "", argumentsJson: called.arguments }, { signal: chat.signal });
}
