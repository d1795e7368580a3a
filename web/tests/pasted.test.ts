// What is pasted in place of JSON: an address or a command goes into the form, anything else is left alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pastedForm } from "../src/screens/add/pasted.ts";

const taken: readonly [string, object][] = [
  ["https://a.example/mcp?x=1", { transport: "http", url: "https://a.example/mcp?x=1" }],
  ["  HTTP://127.0.0.1:8/mcp \n", { transport: "http", url: "HTTP://127.0.0.1:8/mcp" }],
  ["npx -y @scope/server@1.2 stdio", { transport: "stdio", command: "npx", args: "-y\n@scope/server@1.2\nstdio\n" }],
  ["uvx  tool --root=/srv", { transport: "stdio", command: "uvx", args: "tool\n--root=/srv\n" }],
];
const left = [
  "",
  "docs",
  "ftp://a.example/mcp",
  "https://a.example/mcp https://b.example/mcp",
  '{ "url": "https://a.example/mcp" }',
  '"docs": { "command": "npx" }',
  "npx -y 'two words'",
  "KEY=1 npx -y server",
  "npx -y server ~/notes",
  "npx -y server $HOME",
  "npx -y server | tee log",
  "npx -y one\nnpx -y two",
  "claude mcp add --transport http docs https://a.example/mcp",
];

for (const [text, form] of taken) test(`taken: ${text.trim()}`, () => assert.deepEqual(pastedForm(text), form));
for (const text of left) test(`left: ${text}`, () => assert.equal(pastedForm(text), undefined));
