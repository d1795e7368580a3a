// Stands between the page and its host on their WebSocket: holds a request back, answers it itself, changes an answer, or
// cuts the connection, as slow hosts, full disks and lost networks do.

import type { Page, WebSocketRoute } from "playwright-core";

/** What becomes of a request: held for ever, refused with a code, answered, or let through and its result changed. */
export type Treatment =
  | "hold"
  | { readonly refuse: string; readonly message?: string }
  | { readonly answer: unknown }
  | { readonly change: (result: never) => unknown };

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: unknown;
}

export interface Between {
  /** From now on, for every request of this method; `undefined` lets it through again. */
  treat(method: string, treatment: Treatment | undefined): void;
  /** Ends the connection, and every further one as soon as it is opened. */
  cut(): Promise<void>;
}

/** Takes its place; before the page is opened. */
export async function standBetween(page: Page, treatments: Readonly<Record<string, Treatment>> = {}): Promise<Between> {
  const treated = new Map(Object.entries(treatments));
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    if (isCut) return void socket.close();
    const host = socket.connectToServer();
    open.add(socket);
    const changes = new Map<unknown, (result: never) => unknown>();
    socket.onMessage((text) => {
      const { id, method = "" } = JSON.parse(String(text)) as Message;
      const treatment = treated.get(method);
      if (treatment === "hold") return;
      if (treatment === undefined) return host.send(text);
      if ("change" in treatment) {
        changes.set(id, treatment.change);
        return host.send(text);
      }
      const rest =
        "answer" in treatment
          ? { result: treatment.answer }
          : {
              error: {
                code: -32000,
                message: treatment.message ?? "",
                data: { code: treatment.refuse, message: treatment.message ?? "" },
              },
            };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
    });
    host.onMessage((text) => {
      const message = JSON.parse(String(text)) as Message;
      const change = message.id === undefined ? undefined : changes.get(message.id);
      if (!change || message.result === undefined) return socket.send(text);
      socket.send(JSON.stringify({ ...message, result: change(message.result as never) }));
    });
  });
  return {
    treat: (method, treatment) => {
      if (treatment === undefined) treated.delete(method);
      else treated.set(method, treatment);
    },
    cut: async () => {
      isCut = true;
      for (const socket of open) await socket.close();
    },
  };
}
