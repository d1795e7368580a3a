// The tools that a granted server offers. Of many, only those in sight are in the document: parts of the list come and go,
// each keeping the height it had.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PreviewedTool } from "../../generated/types";
import { Untrusted } from "../../text/untrusted";
import { words } from "./words";

/** How many tools come and go together. */
const PART = 16;
/** The height of a tool on one line, with the gap below it, in pixels: until one was measured. */
const TOOL_PX = 25;
/** How far from being in sight a part comes already. */
const AHEAD = "80px";

interface Props {
  label: string;
  tools: readonly PreviewedTool[];
  /** Shows all of them, wherever they are. */
  whole: boolean;
  scroller: { readonly current: HTMLElement | null };
}

export function GrantTools({ label, tools, whole, scroller }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [inSight, setInSight] = useState<ReadonlySet<number>>(new Set([0]));
  const [toolPx, setToolPx] = useState(TOOL_PX);
  const heights = useRef(new Map<number, number>());
  const parts = Math.ceil(tools.length / PART);

  // How many lines a tool takes depends on the width. Room that is wrong would move what has the focus once it is filled.
  const measuredAt = useRef(0);
  useLayoutEffect(() => {
    const width = list.current?.clientWidth ?? 0;
    const shown = [...(list.current?.children ?? [])].find((part) => part.childElementCount > 0);
    if (!shown || width === 0 || width === measuredAt.current) return;
    measuredAt.current = width;
    heights.current.clear();
    setToolPx(shown.getBoundingClientRect().height / shown.childElementCount);
  });

  useLayoutEffect(() => {
    if (whole || !list.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) =>
        setInSight((before) => {
          const next = new Set(before);
          for (const { target, isIntersecting, boundingClientRect } of entries) {
            const part = Number((target as HTMLElement).dataset["part"]);
            if (isIntersecting) next.add(part);
            // What it measures now is the height of its tools, or of the room kept for them.
            else if (next.delete(part)) heights.current.set(part, boundingClientRect.height);
          }
          return next;
        }),
      { root: scroller.current, rootMargin: `${AHEAD} 0px` },
    );
    for (const part of list.current.children) observer.observe(part);
    return () => observer.disconnect();
  }, [whole, parts]);

  return (
    <div ref={list} class="grant-tools" role="list" aria-label={label}>
      {Array.from({ length: parts }, (_, part) => {
        const first = part * PART;
        const some = tools.slice(first, first + PART);
        const shown = whole || inSight.has(part);
        const room = heights.current.get(part) ?? some.length * toolPx;
        return (
          <div key={part} data-part={part} style={{ height: shown ? "" : `${room}px` }}>
            {shown &&
              some.map((tool, index) => (
                <Tool key={tool.nativeName} tool={tool} position={first + index + 1} count={tools.length} />
              ))}
          </div>
        );
      })}
    </div>
  );
}

function Tool({ tool, position, count }: { tool: PreviewedTool; position: number; count: number }) {
  const texts = words.value;
  return (
    <div role="listitem" aria-posinset={position} aria-setsize={count}>
      <Untrusted text={tool.nativeName} />
      <span class="muted">{texts.toolPermissions[tool.permission]}</span>
      <code title={texts.alias}>{tool.alias}</code>
    </div>
  );
}
