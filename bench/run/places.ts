// Where the programs are that are measured: `cargo xtask bench` builds them and says so in variables.

const NAMES = ["TOOLGATE", "SERVER", "RUST_PEER", "PYTHON", "NODE_22", "PEERS", "WASM"] as const;

export type Places = Readonly<Record<(typeof NAMES)[number], string>>;

/** The programs, each by an absolute path; `PEERS` and `WASM` are folders. */
export function places(): Places {
  const missing = NAMES.filter((name) => !process.env[name]);
  if (missing.length > 0) throw new Error(`run \`cargo xtask bench\`; not set: ${missing.join(", ")}`);
  return Object.fromEntries(NAMES.map((name) => [name, process.env[name] ?? ""])) as Places;
}
