// One request to a chat completions endpoint, and its answer. Nothing of Toolgate is in it.

export interface Endpoint {
  /** What `/chat/completions` comes after, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Empty where the endpoint wants none. */
  readonly key: string;
}

/** One call of a tool by the model. */
export interface ToolCall {
  /** The provider's id, under which the result goes back. */
  readonly id: string;
  /** The arguments are JSON text, or what the model takes for it. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What the model said. It goes back as it came, with fields that nobody here knows. */
export interface Said {
  readonly role: "assistant";
  readonly content?: string | null;
  readonly tool_calls?: readonly ToolCall[] | null;
}

export interface ToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

export type Message = { readonly role: "user"; readonly content: string } | Said | ToolMessage;

export class ChatError extends Error {}

/** Asks the model once. */
export async function ask(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<Said> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (endpoint.key !== "") headers["Authorization"] = `Bearer ${endpoint.key}`;
  const url = `${endpoint.baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const response = await fetch(url, { method: "POST", headers, body, signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const why = "The model's endpoint could not be asked. Does it run, and does it let this page's origin in (CORS)?";
    throw new ChatError(why, { cause });
  });
  if (!response.ok) {
    throw new ChatError(
      `The model's endpoint answered with HTTP status ${response.status}; check the address, the key and the model's name.`,
    );
  }
  const said = messageIn(await response.json().catch(() => signal.throwIfAborted()));
  if (said === undefined) {
    throw new ChatError("The model's endpoint answered with something that is no chat completion.");
  }
  return said;
}

function messageIn(answer: unknown): Said | undefined {
  if (!isObject(answer) || !Array.isArray(answer["choices"])) return undefined;
  const [choice]: unknown[] = answer["choices"];
  const message = isObject(choice) ? choice["message"] : undefined;
  return isSaid(message) ? message : undefined;
}

function isSaid(value: unknown): value is Said {
  if (!isObject(value) || value["role"] !== "assistant") return false;
  const { content, tool_calls: calls } = value;
  return (
    (content == null || typeof content === "string") && (calls == null || (Array.isArray(calls) && calls.every(isCall)))
  );
}

function isCall(value: unknown): boolean {
  if (!isObject(value) || typeof value["id"] !== "string") return false;
  const called = value["function"];
  return isObject(called) && typeof called["name"] === "string" && typeof called["arguments"] === "string";
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
