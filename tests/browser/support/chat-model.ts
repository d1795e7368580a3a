// A chat completions endpoint on loopback whose every answer the test gives.

import type { IncomingMessage, ServerResponse } from "node:http";

import { Arrivals, listen, textOf } from "./listening.ts";

/** What of a request's body the tests look at. */
export interface ChatBody {
  readonly model: string;
  readonly temperature?: number;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: string | null;
    readonly tool_calls?: readonly { readonly id: string }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description?: string; readonly parameters: object };
  }[];
}

/** A call as the model makes it. */
export interface Called {
  readonly name: string;
  readonly arguments?: string;
}

/** A request, which waits for the test. */
export interface Asked {
  readonly body: ChatBody;
  readonly authorization: string | undefined;
  /** Answers with a text. */
  say(text: string): void;
  /** Answers with calls, whose ids are `call-0`, `call-1`, … */
  call(...calls: readonly Called[]): void;
  /** Answers with an HTTP status. */
  refuse(status: number): void;
}

export interface ChatModel {
  readonly baseUrl: string;
  /** How many requests there were so far. */
  readonly count: number;
  /** The next request. */
  asked(): Promise<Asked>;
  stop(): Promise<void>;
}

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, content-type",
};

/** Starts it at a free port of loopback. */
export async function startChatModel(): Promise<ChatModel> {
  const asked = new Arrivals<Asked>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "OPTIONS") return void response.writeHead(204, CORS).end();
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") return void response.writeHead(404).end();
    const text = await textOf(request);
    const message = (message: object): void => {
      const choices = [{ index: 0, message: { role: "assistant", ...message } }];
      response.writeHead(200, { ...CORS, "Content-Type": "application/json" }).end(JSON.stringify({ choices }));
    };
    asked.add({
      body: JSON.parse(text) as ChatBody,
      authorization: request.headers.authorization,
      say: (content) => message({ content }),
      call: (...calls) =>
        message({
          content: null,
          tool_calls: calls.map(({ name, arguments: json = "{}" }, index) => {
            return { id: `call-${index}`, type: "function", function: { name, arguments: json } };
          }),
        }),
      refuse: (status) => void response.writeHead(status, CORS).end(),
    });
  };
  const { port, stop } = await listen(take);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1/`,
    get count() {
      return asked.all.length;
    },
    asked: () => asked.next(),
    stop,
  };
}
