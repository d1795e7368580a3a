// Ids of calls. Random, and made where `crypto.randomUUID` is missing, too: in pages without TLS.

/** 128 random bits. */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
