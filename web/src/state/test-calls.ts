// The test calls of each tool: the arguments as they are being written, the run under way or the last one, and the
// arguments of earlier runs. All of it lives in this page only and is gone with it: arguments may hold secrets.

import { signal } from "@preact/signals";
import { testCall } from "../abi/test-call";
import { McpApiError } from "../abi/errors";
import type { CallOutcome } from "../generated/types";
import type { Bridge } from "../abi/requests";

/** One run: under way until it has an outcome. */
export interface Run {
  startedAt: number;
  argumentsJson: string;
  endedAt?: number;
  /** The person stopped waiting. */
  stopped: boolean;
  outcome?: CallOutcome;
}

/** Arguments of an earlier run. */
export interface Recent {
  text: string;
  atMs: number;
}

export class TestCall {
  /** The arguments as JSON text: the only truth, of which the form is read. */
  readonly text = signal("{}");
  /** Alternatives that the person chose, by JSON Pointer. */
  readonly choices = signal<Readonly<Record<string, number>>>({});
  readonly run = signal<Run | undefined>(undefined);
  readonly recent = signal<readonly Recent[]>([]);
  private abort: AbortController | undefined;

  constructor(
    private readonly bridge: Bridge,
    readonly serverId: string,
    readonly toolName: string,
  ) {}

  get isRunning(): boolean {
    const run = this.run.value;
    return run !== undefined && run.outcome === undefined;
  }

  /** Calls the tool once. Ignored while a call is under way: a second press is no second call. */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const abort = new AbortController();
    this.abort = abort;
    const argumentsJson = this.text.peek();
    const run: Run = { startedAt: Date.now(), argumentsJson, stopped: false };
    this.run.value = run;
    this.remember(argumentsJson);
    const call = { id: this.serverId, nativeName: this.toolName, argumentsJson };
    const outcome = await testCall(this.bridge, call, abort.signal).catch(withoutOutcome);
    this.run.value = { ...(this.run.peek() ?? run), outcome, endedAt: Date.now() };
  }

  /** Stops waiting. What the server does by then cannot be undone. */
  stop(): void {
    const run = this.run.peek();
    if (!run || run.outcome !== undefined || run.stopped) return;
    this.run.value = { ...run, stopped: true };
    this.abort?.abort();
  }

  private remember(text: string): void {
    const others = this.recent.peek().filter((one) => one.text !== text);
    this.recent.value = [{ text, atMs: Date.now() }, ...others].slice(0, RECENT);
  }
}

/** Arguments that are kept of a tool. */
const RECENT = 10;

/** What became of a call for which the host gave no outcome. */
function withoutOutcome(error: unknown): CallOutcome {
  // The host would not take it.
  if (error instanceof McpApiError && error.code !== "mcp.call_already_dispatched") {
    return { outcome: "not_sent", code: error.code, message: error.message };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { outcome: "outcome_unknown", code: "mcp.call_response_failed", message };
}

const calls = new Map<string, TestCall>();

/** The test call of a tool; the same one for as long as the page lives. */
export function testCallOf(bridge: Bridge, serverId: string, toolName: string): TestCall {
  const key = `${serverId}:${toolName}`;
  let call = calls.get(key);
  if (!call) {
    call = new TestCall(bridge, serverId, toolName);
    calls.set(key, call);
  }
  return call;
}
