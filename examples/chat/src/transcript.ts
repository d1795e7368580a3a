// The conversation as the person sees it. Whatever a model or a server says is text: nothing of it becomes markup.

import type { Message } from "./endpoint";

export class Transcript {
  constructor(private readonly list: HTMLElement) {}

  message(message: Message): void {
    if (message.role === "tool") return this.entry("tool", message.content);
    if (message.content) this.entry(message.role, message.content);
    if (message.role !== "assistant") return;
    for (const { function: called } of message.tool_calls ?? []) {
      this.entry("call", `${called.name} ${called.arguments}`);
    }
  }

  /** A word to the person, which the model does not get. */
  notice(text: string): void {
    this.entry("notice", text);
  }

  private entry(kind: string, text: string): void {
    const entry = document.createElement("li");
    entry.className = kind;
    entry.textContent = text;
    this.list.append(entry);
    entry.scrollIntoView({ block: "nearest" });
  }
}
