// The page: what a person typed goes into generations, and what comes of them into the transcript. The key and Toolgate's
// token are in memory only.

import init from "@toolgate/core/schema";
import wasmUrl from "@toolgate/core/schema.wasm";
import { createMcpApi, overWebSocket, type LegacyApi } from "@toolgate/manager";

import { isObject, type Message } from "./endpoint";
import { generate, type Ended } from "./generation";
import { Transcript } from "./transcript";

function element<E extends HTMLElement>(id: string, type: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${id}.`);
}

const connectForm = element("connect", HTMLFormElement);
const address = element("address", HTMLInputElement);
const connection = element("connection", HTMLOutputElement);
const sayForm = element("say", HTMLFormElement);
const text = element("text", HTMLTextAreaElement);
const send = element("send", HTMLButtonElement);
const stop = element("stop", HTMLButtonElement);

const transcript = new Transcript(element("conversation", HTMLOListElement));
const messages: Message[] = [];
let legacy = withoutToolgate();
let running: AbortController | undefined;

connectForm.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!URL.canParse(address.value)) {
    connection.value = "this is no address";
    return;
  }
  const { origin, searchParams } = new URL(address.value);
  const transport = overWebSocket({ address: origin, token: searchParams.get("token") ?? "" });
  // Over this page's connection, and not at `window`: extensions get no calls.
  ({ legacy } = createMcpApi({ transport, onState: (state) => (connection.value = state) }));
  address.value = "";
  connectForm.querySelector("fieldset")?.setAttribute("disabled", "");
});

sayForm.addEventListener("submit", (event) => {
  event.preventDefault();
  void answer(text.value);
});

stop.addEventListener("click", () => running?.abort());

async function answer(said: string): Promise<void> {
  if (running) return;
  running = new AbortController();
  setRunning(true);
  try {
    const fields = ownFields();
    text.value = "";
    const message: Message = { role: "user", content: said };
    messages.push(message);
    transcript.message(message);
    const ended = await generate(
      {
        endpoint: {
          baseUrl: element("base-url", HTMLInputElement).value,
          key: element("key", HTMLInputElement).value,
        },
        model: element("model", HTMLInputElement).value,
        fields,
        legacy,
        signal: running.signal,
        onMessage: (message) => transcript.message(message),
        onNotice: (text) => transcript.notice(text),
      },
      messages,
    );
    const word = wordsFor(ended);
    if (word !== undefined) transcript.notice(word);
  } catch (error) {
    transcript.notice(error instanceof Error ? error.message : String(error));
  } finally {
    running = undefined;
    setRunning(false);
  }
}

/** Before the page is connected: a chat with its own tools. */
function withoutToolgate(): LegacyApi {
  return {
    listTools: () => Promise.resolve({ tools: [], diagnostics: [] }),
    call: () => Promise.reject(new Error("The page is not connected to Toolgate.")),
  };
}

function ownFields(): Record<string, unknown> {
  const json = element("fields", HTMLTextAreaElement).value.trim();
  if (json === "") return {};
  const fields: unknown = JSON.parse(json);
  if (!isObject(fields)) throw new Error("The further fields of the request must be a JSON object.");
  return fields;
}

function wordsFor(ended: Ended): string | undefined {
  switch (ended.kind) {
    case "answered":
      return undefined;
    case "stopped":
      return "Stopped.";
    case "too_many_rounds":
      return "The model went on calling tools for as many rounds as it may, and has no answer yet.";
    case "outcome_unknown":
      return (
        `Nobody knows whether a call was carried out, so this answer ends here; the model gets no result, and nothing is ` +
        `repeated. Look for yourself before you go on. ${ended.message} (${ended.code})`
      );
  }
}

function setRunning(is: boolean): void {
  send.disabled = is;
  stop.disabled = !is;
}

await init({ module_or_path: fetch(wasmUrl) });
setRunning(false);
