// What a server says, made safe to read: control, bidirectional, zero-width and other invisible characters become
// visible marks. Everything else is text like any other; nothing here makes markup.

/**
 * C0 and C1 controls, soft hyphen, the Arabic letter mark, Hangul fillers, Mongolian vowel separator, zero-width and
 * bidirectional characters, line and paragraph separators, invisible operators, interlinear marks, variation
 * selectors beyond emoji's own, the byte order mark, tags, and lone surrogates.
 */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

export type Piece = { kind: "text"; text: string } | { kind: "mark"; mark: string };

/** The text in pieces, hidden characters as marks such as `U+202E`. With `lines`, line feeds and tabs stay. */
export function pieces(text: string, lines = false): Piece[] {
  const source = lines ? text.replaceAll("\r\n", "\n") : text;
  const out: Piece[] = [];
  let end = 0;
  for (const match of source.matchAll(HIDDEN)) {
    const [character] = match;
    if (lines && (character === "\n" || character === "\t")) continue;
    if (match.index > end) out.push({ kind: "text", text: source.slice(end, match.index) });
    out.push({ kind: "mark", mark: markOf(character) });
    end = match.index + character.length;
  }
  if (end < source.length) out.push({ kind: "text", text: source.slice(end) });
  return out;
}

/** The same as one string, marks in brackets: for attributes and messages. */
export function visible(text: string, lines = false): string {
  return pieces(text, lines)
    .map((piece) => (piece.kind === "text" ? piece.text : `[${piece.mark}]`))
    .join("");
}

function markOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
