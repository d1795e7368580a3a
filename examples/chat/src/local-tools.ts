// The chat's own tools. They keep their names; those of MCP servers make way for them.

interface LocalTool {
  readonly description: string;
  readonly parameters: object;
  run(): string;
}

const TOOLS: ReadonlyMap<string, LocalTool> = new Map([
  [
    "current_time",
    {
      description: "The present date and time where the person is.",
      parameters: { type: "object", properties: {} },
      run: () => new Date().toString(),
    },
  ],
]);

/** As a request has them. */
export const LOCAL_TOOLS: readonly object[] = Array.from(TOOLS, ([name, { description, parameters }]) => ({
  type: "function",
  function: { name, description, parameters },
}));

/** The result of a local tool; `undefined` where no local tool has this name. */
export function runLocal(name: string): string | undefined {
  return TOOLS.get(name)?.run();
}
