// Serves `dist/` on loopback, at the port of the first argument or 8080. Any other web server does as well.

import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};
const port = Number(process.argv[2] ?? 8080);
const dist = new URL("dist/", import.meta.url);

// The files there are, and no path besides.
const files = new Map();
for (const name of await readdir(dist)) files.set(`/${name}`, await readFile(new URL(name, dist)));
files.set("/", files.get("/index.html"));

const server = createServer(({ url }, response) => {
  const path = new URL(url ?? "/", "http://localhost").pathname;
  const file = files.get(path);
  if (file === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "Content-Type": TYPES[extname(path) || ".html"] }).end(file);
});
server.listen(port, "127.0.0.1", () => console.log(`Chat: http://127.0.0.1:${server.address().port}`));
