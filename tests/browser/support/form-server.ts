// An MCP server for tests of the test call: tools with every kind of field, whose answers, failures and silences are those
// of real servers. It keeps the calls as they came over the wire, since only that shows whether a number survived.

import type { IncomingMessage, ServerResponse } from "node:http";

import { Arrivals, listen, textOf } from "./listening.ts";

export interface FormServer {
  readonly url: string;
  /** The arguments of the calls so far, as they were spelled. */
  readonly calls: readonly { readonly tool: string; readonly arguments: string }[];
  /** Waits until there have been so many calls; fails where they do not come. */
  called(count: number): Promise<void>;
  /** Answers the calls of `wait` that are open. */
  release(): void;
  stop(): Promise<void>;
}

const BOOKING = {
  type: "object",
  required: ["guest", "nights"],
  $defs: {
    Guest: {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", title: "Full name", description: "As in the passport.", minLength: 1 },
        email: { type: ["string", "null"], format: "email" },
        companions: { type: "array", items: { $ref: "#/$defs/Guest" }, description: "Who comes along." },
      },
    },
    Card: {
      type: "object",
      title: "By card",
      required: ["kind", "number"],
      properties: { kind: { const: "card" }, number: { type: "string" } },
    },
    Invoice: {
      type: "object",
      title: "By invoice",
      required: ["kind", "address"],
      properties: { kind: { const: "invoice" }, address: { type: "string" } },
    },
  },
  properties: {
    guest: { $ref: "#/$defs/Guest", description: "Who the room is for." },
    nights: { type: "integer", minimum: 1, maximum: 30, description: "How many nights." },
    room: { enum: ["single", "double", "suite"], description: "The kind of room.", default: "double" },
    customer: { type: "integer", description: "The customer number, however long it is." },
    breakfast: { type: "boolean", default: true },
    wishes: { type: "array", items: { type: "string" }, maxItems: 5, description: "Anything else, one a line." },
    payment: { oneOf: [{ $ref: "#/$defs/Card" }, { $ref: "#/$defs/Invoice" }] },
    labels: { type: "object", additionalProperties: { type: "string" }, description: "Notes of your own, by name." },
  },
};

const HOSTILE = {
  type: "object",
  properties: {
    "<img src=x onerror=alert(1)>": {
      type: "string",
      description: "‮<script>alert(1)</script>​[a](javascript:alert(1))",
    },
  },
};

const TOOLS: readonly { name: string; description?: string; inputSchema: unknown }[] = [
  { name: "book_room", description: "Book a room in the hotel. Gives back what was booked.", inputSchema: BOOKING },
  {
    name: "answer",
    description: "Answers “done”.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
  },
  { name: "fail", inputSchema: { type: "object", properties: { why: { type: "string" } } } },
  { name: "refuse", inputSchema: { type: "object" } },
  { name: "picture", inputSchema: { type: "object" } },
  { name: "large", inputSchema: { type: "object" } },
  { name: "cut", inputSchema: { type: "object" } },
  { name: "wait", inputSchema: { type: "object" } },
  { name: "later", inputSchema: { type: "object" } },
  { name: "ask", inputSchema: { type: "object" } },
  { name: "hostile", inputSchema: HOSTILE },
];

const text = (value: string) => ({ type: "text", text: value });

/** The result as JSON text, so that numbers in it stay as they are. */
function result(tool: string, given: string): string | undefined {
  switch (tool) {
    case "book_room":
      return `{"content":[${JSON.stringify(text("Booked."))}],"structuredContent":{"booked":${given}}}`;
    case "fail":
      return JSON.stringify({ content: [text("The hotel is closed in winter.")], isError: true });
    case "picture":
      return JSON.stringify({
        content: [
          text("Here it is."),
          {
            type: "image",
            mimeType: "image/png",
            data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
          },
          { type: "resource_link", uri: "https://hotel.example/room.pdf", name: "room", mimeType: "application/pdf" },
        ],
      });
    case "large":
      return JSON.stringify({ content: [text("0123456789 ".repeat(300_000))] });
    case "later":
      return JSON.stringify({ task: { taskId: "1", status: "working" } });
    case "ask":
      return JSON.stringify({ resultType: "input_required", inputRequests: {} });
    case "hostile":
      return JSON.stringify({ content: [text("<img src=x onerror=alert(1)> \u202e‮ reversed \u200b")] });
    default:
      return JSON.stringify({ content: [text("done")] });
  }
}

/** The text of the value that follows a key, in JSON without white space. */
function valueAfter(message: string, key: string): string {
  const start = message.indexOf(`"${key}":`) + key.length + 3;
  let depth = 0;
  let inString = false;
  for (let at = start; at < message.length; at += 1) {
    const character = message[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return message.slice(start, at + 1);
    }
  }
  return "{}";
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

/** Starts it on a free port of loopback, or on the one that is given. */
export async function startFormServer(port = 0): Promise<FormServer> {
  const calls = new Arrivals<{ tool: string; arguments: string }>();
  const held: (() => void)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const whole = await textOf(request);
    const { id, method, params } = JSON.parse(whole) as Message;
    if (id === undefined) return void response.writeHead(202).end();
    const send = (member: "result" | "error", json: string): void => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${member}":${json}}`);
    };
    switch (method) {
      case "initialize":
        return send(
          "result",
          JSON.stringify({
            protocolVersion: params?.protocolVersion ?? "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "hotel", version: "2.1.0" },
          }),
        );
      case "tools/list":
        return send("result", JSON.stringify({ tools: TOOLS }));
      case "tools/call": {
        const tool = params?.name ?? "";
        const given = valueAfter(whole, "arguments");
        calls.add({ tool, arguments: given });
        if (tool === "cut") return void response.destroy();
        if (tool === "refuse") {
          return send("error", '{"code":-32602,"message":"No such room.","data":{"room":18446744073709551617}}');
        }
        if (tool === "wait") await new Promise<void>((go) => held.push(go));
        return send("result", result(tool, given) ?? "{}");
      }
      default:
        return send("error", '{"code":-32601,"message":"No such method."}');
    }
  };
  const { port: at, stop } = await listen(answer, port);
  return {
    url: `http://127.0.0.1:${at}/mcp`,
    calls: calls.all,
    called: (count) => calls.reached(count),
    release: () => {
      for (const go of held.splice(0)) go();
    },
    stop,
  };
}
