// How sentences stand beside each other: with a space between them, and with none after Chinese punctuation, which brings its
// own.

/** Ends in a full-width mark, in a closing quote after one, or in an ellipsis after Chinese. */
const BRINGS_ITS_OWN =
  /(?:[\u3000-\u303f\uff00-\uff65]|[\u3002\uff01\uff1f]\u201d|[\u4e00-\u9fff\u3000-\u303f]\u2026+)$/;

/** What stands between this text and the next: a space or nothing. */
export function gapAfter(text: string): "" | " " {
  return text === "" || BRINGS_ITS_OWN.test(text) ? "" : " ";
}

/** The sentences as one text, without those that are empty or not said. */
export function sentences(...parts: readonly (string | false | undefined)[]): string {
  return parts.reduce<string>((before, part) => (part ? `${before}${gapAfter(before)}${part}` : before), "");
}
