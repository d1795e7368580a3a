// A sentence of core or the host: what it has between backticks is a name or a value, and shown as such.

import { Untrusted } from "./untrusted";

/** As Markdown has it: as many backticks at the end as at the beginning. */
const CODE = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gsu;

export function Sentence({ text }: { text: string }) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(CODE)) {
    const [whole, , inside = ""] = found;
    parts.push(
      <Untrusted key={from} text={text.slice(from, found.index)} />,
      <code key={found.index}>
        <Untrusted text={inside} />
      </code>,
    );
    from = found.index + whole.length;
  }
  return (
    <>
      {parts}
      <Untrusted text={text.slice(from)} />
    </>
  );
}
