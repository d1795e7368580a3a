// Text of a server in the page: isolated from the direction of what stands around it, hidden characters marked.

import { pieces } from "./visible";

export function Untrusted({ text, lines = false }: { text: string; lines?: boolean }) {
  return (
    <bdi class={lines ? "untrusted lines" : "untrusted"}>
      {pieces(text, lines).map((piece) =>
        piece.kind === "text" ? piece.text : <span class="hidden-mark">{piece.mark}</span>,
      )}
    </bdi>
  );
}
