// Servers for looking at the page: a few MCP servers in one program on loopback, with tools as real servers have them,
// and what a person decided about them. For pictures only; what servers do on the wire is the business of other tests.

import type { IncomingMessage } from "node:http";

import { listen, textOf } from "./listening.ts";

type Schema = Readonly<Record<string, unknown>>;

interface SampleTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Schema;
  annotations?: Schema;
}

export interface Sample {
  /** The last part of its address. */
  path: string;
  displayName: string;
  /** The address shown in its place. */
  publicUrl: string;
  serverName: string;
  version: string;
  tools: readonly SampleTool[];
  permissions: Readonly<Record<string, "ask" | "allow">>;
}

const text = (description: string): Schema => ({ type: "string", description });
const number = (description: string): Schema => ({ type: "integer", description });
const input = (properties: Schema, ...required: string[]): Schema => ({ type: "object", properties, required });
const reads = { readOnlyHint: true, openWorldHint: false };

const issue = text("The issue's key, such as WEB-214.");

export const SAMPLES: readonly Sample[] = [
  {
    path: "tracker",
    displayName: "Issue tracker",
    publicUrl: "https://tracker.example.com/mcp",
    serverName: "tracker-mcp",
    version: "3.2.0",
    permissions: {
      search_issues: "allow",
      get_issue: "allow",
      list_projects: "allow",
      create_issue: "ask",
      add_comment: "ask",
      move_issue: "ask",
    },
    tools: [
      {
        name: "search_issues",
        title: "Search issues",
        description: "Find issues by words, project, state or assignee. Newest first, at most 50.",
        inputSchema: input(
          {
            query: text("Words to look for in title and text."),
            project: text("The project's key. All projects if left out."),
            state: { enum: ["open", "in_progress", "done"], description: "Only issues in this state." },
            limit: { type: "integer", description: "How many to give back.", default: 20, maximum: 50 },
          },
          "query",
        ),
        annotations: reads,
      },
      {
        name: "get_issue",
        title: "Get issue",
        description: "One issue with its text, comments and history.",
        inputSchema: input({ key: issue }, "key"),
        annotations: reads,
      },
      {
        name: "list_projects",
        description: "The projects you can see, with their keys.",
        inputSchema: input({}),
        annotations: reads,
      },
      {
        name: "create_issue",
        title: "Create issue",
        description: "Create an issue in a project. Tell the person its key afterwards.",
        inputSchema: input(
          {
            project: text("The project's key."),
            title: text("One line."),
            body: text("Markdown."),
            labels: { type: "array", items: { type: "string" }, description: "Labels that exist in the project." },
          },
          "project",
          "title",
        ),
        annotations: { readOnlyHint: false, destructiveHint: false },
      },
      {
        name: "add_comment",
        description: "Write a comment below an issue, visible to everyone who can see it.",
        inputSchema: input({ key: issue, body: text("Markdown.") }, "key", "body"),
      },
      {
        name: "move_issue",
        description: "Change an issue's state.",
        inputSchema: input({ key: issue, state: { enum: ["open", "in_progress", "done"] } }, "key", "state"),
      },
      {
        name: "assign_issue",
        description: "Give an issue to a person.",
        inputSchema: input({ key: issue, user: text("A user name.") }, "key", "user"),
      },
      {
        name: "list_sprints",
        description: "Sprints of a project, the present one first.",
        inputSchema: input({ project: text("The project's key.") }, "project"),
        annotations: reads,
      },
      {
        name: "delete_issue",
        title: "Delete issue",
        description: "Delete an issue and its comments for good.",
        inputSchema: input({ key: issue }, "key"),
        annotations: { destructiveHint: true },
      },
      {
        name: "run_report",
        description: "Run a saved report by its name.",
        inputSchema: { properties: { name: text("The report's name.") } },
      },
    ],
  },
  {
    path: "wiki",
    displayName: "Company wiki",
    publicUrl: "https://wiki.example.com/api/mcp",
    serverName: "wiki",
    version: "1.14.2",
    permissions: { search_pages: "allow" },
    tools: ["search_pages", "read_page", "recent_changes", "write_page"].map((name) => ({
      name,
      description: `${name.replace("_", " ")}.`,
      inputSchema: input({ query: number("Which.") }),
    })),
  },
  {
    path: "weather",
    displayName: "Weather",
    publicUrl: "https://weather.example.org/mcp",
    serverName: "weather",
    version: "0.9.1",
    permissions: { forecast: "allow", alerts: "allow" },
    tools: ["forecast", "alerts", "history"].map((name) => ({
      name,
      description: `Weather: ${name}.`,
      inputSchema: input({ place: text("A town, or latitude and longitude.") }, "place"),
    })),
  },
];

export interface SampleServers {
  /** The endpoint of the sample with this path. */
  url(path: string): string;
  stop(): Promise<void>;
}

/** Serves them all, each below its own path. */
export async function startSamples(): Promise<SampleServers> {
  const { port, stop } = await listen(async (request, response) => {
    const body = await answer(request);
    if (body === undefined) response.writeHead(request.method === "POST" ? 202 : 405).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return { url: (path) => `http://127.0.0.1:${port}/${path}`, stop };
}

async function answer(request: IncomingMessage): Promise<unknown> {
  if (request.method !== "POST") return undefined;
  const { id, method, params } = JSON.parse(await textOf(request)) as {
    id?: number;
    method: string;
    params?: { protocolVersion?: string };
  };
  const sample = SAMPLES.find(({ path }) => request.url === `/${path}`);
  if (id === undefined || !sample) return undefined;
  const result = (value: unknown) => ({ jsonrpc: "2.0", id, result: value });
  switch (method) {
    case "initialize":
      return result({
        protocolVersion: params?.protocolVersion ?? "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: sample.serverName, version: sample.version },
      });
    case "tools/list":
      return result({ tools: sample.tools });
    default:
      return { jsonrpc: "2.0", id, error: { code: -32601, message: `No method ${method}.` } };
  }
}
