// The TypeScript SDK's client in the comparison. Arguments: how often to discover, how many calls to make, then `http URL` or
// `stdio COMMAND ARGUMENT…`. Writes what each took as one line of JSON.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [repeats = "1", calls = "0", kind, target = "", ...args] = process.argv.slice(2);

const transport = () =>
  kind === "http"
    ? new StreamableHTTPClientTransport(new URL(target))
    : new StdioClientTransport({ command: target, args });

async function connect() {
  const client = new Client({ name: "bench", version: "1.0" });
  await client.connect(transport());
  return client;
}

async function list(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

const discoverMs = [];
let tools = [];
for (let run = 0; run < Number(repeats); run++) {
  const start = performance.now();
  const client = await connect();
  tools = await list(client);
  discoverMs.push(performance.now() - start);
  await client.close();
}

const callMs = [];
const client = await connect();
for (let call = 0; call < Number(calls); call++) {
  const start = performance.now();
  await client.callTool({ name: tools[0]?.name ?? "", arguments: { account_0: "a" } });
  callMs.push(performance.now() - start);
}
await client.close();
console.log(JSON.stringify({ tools: tools.length, discoverMs, callMs }));
