// A WebSocket as a page has it, over a plain socket: Node's own cannot send the token everywhere these tests run.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import type { Measured } from "./program.ts";

export interface PageSocket {
  /** Sends one request; answers the whole answer. */
  ask(method: string, params: unknown): Promise<Answer>;
  /** Resolves when the host says that something changed. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly data: { readonly code: string } };
}

/** Opens one, as a program with the token does. */
export async function openSocket({ port, token }: Measured): Promise<PageSocket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const head = [
    "GET /ws HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    `Authorization: Bearer ${token}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const waiting = new Map<number, (answer: Answer) => void>();
  const hearing: (() => void)[] = [];
  await upgraded(socket, (text) => {
    const answer = JSON.parse(text) as Answer;
    if (answer.method !== undefined) for (const hear of hearing.splice(0)) hear();
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let next = 1;
  return {
    ask: (method, params) =>
      new Promise((resolve) => {
        const id = next++;
        waiting.set(id, resolve);
        socket.write(frame(1, Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method, params }))));
      }),
    changed: () => new Promise((resolve) => hearing.push(resolve)),
    close: async () => {
      const closed = once(socket, "close");
      socket.end(frame(8, Buffer.alloc(0)));
      await closed;
    },
  };
}

/** A frame of a client: whole, and masked with nothing, which is a mask like any other. */
function frame(opcode: number, payload: Buffer): Buffer {
  const length = payload.length;
  const mask = Buffer.alloc(4);
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | length]), mask, payload]);
  const head = Buffer.from([0x80 | opcode, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 6);
  return Buffer.concat([head, mask, payload]);
}

/** Resolves when the server has agreed; from then on every text goes to `hear`. */
function upgraded(socket: Socket, hear: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let open = false;
    let rest = Buffer.alloc(0);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`refused: ${rest.toString("utf8")}`)));
    socket.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      if (!open) {
        const end = rest.indexOf("\r\n\r\n");
        if (end < 0 || !rest.toString("latin1").startsWith("HTTP/1.1 101 ")) return;
        open = true;
        rest = rest.subarray(end + 4);
        resolve();
      }
      for (;;) {
        const [length, start] = frameIn(rest);
        if (length === undefined || rest.length < start + length) return;
        if ((rest[0] ?? 0) === 0x81) hear(rest.toString("utf8", start, start + length));
        rest = rest.subarray(start + length);
      }
    });
  });
}

/** Where the payload of the first frame begins, and how long it is; the server sends whole frames, unmasked. */
function frameIn(bytes: Buffer): [number | undefined, number] {
  if (bytes.length < 2) return [undefined, 2];
  const short = (bytes[1] ?? 0) & 0x7f;
  if (short < 126) return [short, 2];
  const start = short === 126 ? 4 : 10;
  if (bytes.length < start) return [undefined, start];
  return [short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)), start];
}
