// One round: a request with the tools as they are named in it, and the model's answer.

import type { LegacyRoot } from "@toolgate/core/schema";

import { ask, type Message, type Said } from "./endpoint";
import type { Chat } from "./generation";
import { LOCAL_TOOLS } from "./local-tools";
import { applySettings, type ChatRequest } from "./settings";

export async function askModel(chat: Chat, root: LegacyRoot, messages: readonly Message[]): Promise<Said> {
  // Names are given anew in each round. The local tools come first and keep theirs.
  const { tools, error } = root.beginRound(JSON.stringify(LOCAL_TOOLS), []);
  if (error !== null) chat.onNotice(`${error.message} (${error.code})`);
  const request: ChatRequest = {
    model: chat.model,
    messages,
    // As objects, so that the hook can read them.
    tools: tools === null ? LOCAL_TOOLS : (JSON.parse(tools) as unknown),
  };
  applySettings(request, chat.fields);
  // From here on the model can call what is still there under a name of its own, and nothing else.
  root.finalize(request.tools == null ? null : JSON.stringify(request.tools));
  return ask(chat.endpoint, JSON.stringify(request), chat.signal);
}
