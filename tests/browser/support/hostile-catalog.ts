// A server that says hostile things wherever it can say anything: markup, scripts, Markdown, characters that turn text
// around or have no face, and more of everything than fits. Over HTTP, on loopback.

import { once } from "node:events";
import { createServer } from "node:http";

const hit = "window.hit=1";
/** Each of them would do something if it were more than text. */
export const MARKUP = [
  `<img src=x onerror="${hit}">`,
  `<script>${hit}</script>`,
  `<svg onload="${hit}"></svg>`,
  `<iframe srcdoc="<script>parent.hit=1</script>"></iframe>`,
  `<style>*{display:none!important}</style>`,
  `<base href="http://evil.example/"><meta http-equiv="refresh" content="0;url=http://evil.example/">`,
  `</bdi></span></div></main><h1>Toolgate needs your password</h1>`,
  `[a link](javascript:${hit}) ![a picture](http://evil.example/p.png) <http://evil.example/>`,
  `\`\`\`\n# Heading\n\`\`\`\n&lt;b&gt;&amp;#x202e;{{constructor.constructor("${hit}")()}}`,
];
/** Turned around, faceless, and what a terminal would obey. */
export const HIDDEN =
  "\u202etxet\u202c \u2066x\u2069 a\u200bb\u200dc\ufeffd \u00ade\u2060 \u001b[31mred\u0007 \u009b0m \u{e0041}";
/** The marks that stand for some of it. */
export const MARKS = ["U+202E", "U+200B", "U+FEFF", "U+001B", "U+009B", "U+E0041"];
const LONG = "W".repeat(10_000);
const TALL = "line\n".repeat(2_000);
// Marks above marks, and the widest single letter there is.
const STACKED = `${"Z" + "\u0300\u0316".repeat(500)} \ufdfd`.repeat(3);

function nested(depth: number): object {
  let schema: object = { type: "string", description: `${MARKUP[0]}${HIDDEN}` };
  for (let level = 0; level < depth; level += 1)
    schema = { type: "object", properties: { [`level ${level}`]: schema } };
  return schema;
}

const everything = MARKUP.join("\n") + HIDDEN;
const properties = {
  ...Object.fromEntries(MARKUP.map((markup) => [markup, { type: "string", description: everything, default: markup }])),
  [HIDDEN]: { enum: [...MARKUP, HIDDEN, LONG] },
  [LONG]: { type: "string", title: everything, description: TALL },
  "__proto__ ": { const: STACKED },
  again: { $ref: "#" },
};

const TOOLS = [
  ...MARKUP.map((markup) => ({ name: markup, title: markup, description: everything })),
  { name: HIDDEN, title: HIDDEN, description: HIDDEN },
  { name: "long", title: LONG, description: LONG },
  { name: "tall", title: TALL, description: TALL },
  { name: "stacked", title: STACKED, description: STACKED },
  { name: "W".repeat(256), title: LONG, description: LONG },
  // Longer than a name may be: left out, with a note that tells of it.
  { name: LONG, description: LONG },
  { name: `${HIDDEN}${LONG}`, description: everything },
  { name: "deep", description: everything, inputSchema: nested(30) },
  { name: "wide", description: everything, inputSchema: { type: "object", properties, required: MARKUP } },
  { name: "no schema", description: everything, inputSchema: { type: MARKUP[0] } },
].map((tool) => ({
  inputSchema: { type: "object", properties: { a: { type: "string", description: everything } } },
  annotations: { title: everything, readOnlyHint: true },
  ...tool,
}));

export interface HostileCatalog {
  readonly url: string;
  /** One that refuses everything, in the same words. */
  readonly refusing: string;
  stop(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
}

export async function startHostileCatalog(): Promise<HostileCatalog> {
  const result = ({ method, params }: Message): object | undefined => {
    if (method === "initialize") {
      return {
        protocolVersion: params?.protocolVersion ?? "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: everything, title: LONG, version: `${HIDDEN}${LONG}` },
        instructions: everything,
      };
    }
    return method === "tools/list" ? { tools: TOOLS } : undefined;
  };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      if (request.method !== "POST") return response.writeHead(405).end();
      const message = JSON.parse(body) as Message;
      if (message.id === undefined) return response.writeHead(202).end();
      const answer = request.url === "/refusing" ? undefined : result(message);
      const error = { code: -32601, message: everything, data: everything };
      const rest = answer === undefined ? { error } : { result: answer };
      response.writeHead(200, { "Content-Type": "application/json" });
      return response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...rest }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${origin}/mcp`,
    refusing: `${origin}/refusing`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
