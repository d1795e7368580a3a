// The granted servers of a partner. Where they are many, or their tools are, only the rows in sight are in the document, and
// those that the focus can go to next: Tab goes through all of them either way.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PreviewedServer } from "../../generated/types";
import { focusHeading } from "../../ui/dialog";
import { useVirtualRows } from "../../ui/virtual-rows";
import type { Found } from "./find-grants";
import { GrantRow, type Part } from "./grant-row";

/** The height of a row that is folded, in pixels. */
const ROW_PX = 116;
/** A row is as many elements as about so many tools, of which so many are in the document as a whole. */
const ROW_IN_TOOLS = 7;
const WHOLE_IN_TOOLS = 100;

/** Whether the browser's own search would not find everything of them. */
export function isLong(granted: readonly PreviewedServer[]): boolean {
  return granted.reduce((sum, { tools }) => sum + ROW_IN_TOOLS + tools.length, 0) > WHOLE_IN_TOOLS;
}

interface Props {
  partnerId: string;
  /** Its MCP is on. */
  on: boolean;
  shown: readonly Found[];
  scroller: { readonly current: HTMLElement | null };
}

export function GrantRows({ partnerId, on, shown, scroller }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  const [focusId, setFocusId] = useState<string | undefined>(undefined);
  // A row that is scrolled out and back is unfolded as it was.
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());

  const count = shown.length;
  const long = isLong(shown.map(({ server }) => server));
  const focused = shown.findIndex(({ server }) => server.serverId === focusId);
  const beside = focused === -1 ? [] : [focused - 1, focused, focused + 1];
  const rows = useVirtualRows({
    count: long ? count : 0,
    scroller: () => scroller.current,
    keyOf: (index) => shown[index]?.server.serverId ?? String(index),
    estimate: ROW_PX,
    // Tab comes into the list at its first row or its last.
    keep: [0, ...beside, count - 1],
    overscan: 1,
    margin,
    covered: 0,
  });

  // What stands above the list comes, goes and wraps.
  useLayoutEffect(() => {
    const pane = scroller.current;
    const content = list.current?.closest(".server-body");
    if (!pane || !content) return undefined;
    const measure = () => {
      if (!list.current?.checkVisibility()) return;
      const top = list.current.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
      setMargin(Math.round(top));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(content);
    measure();
    return () => observer.disconnect();
  }, [long]);

  // What had the focus was withdrawn: go on at the one that took its place, and at the heading after the last.
  const place = useRef(0);
  useLayoutEffect(() => {
    if (focused !== -1) place.current = focused;
    if (focused !== -1 || focusId === undefined) return;
    setFocusId(undefined);
    if (document.activeElement !== document.body) return;
    const next = shown[Math.min(place.current, count - 1)]?.server.serverId ?? "";
    list.current?.querySelector<HTMLElement>(`[data-grant="${CSS.escape(next)}"] [data-withdraw]`)?.focus();
  });
  useLayoutEffect(
    () => () => {
      if (!list.current?.contains(document.activeElement)) return;
      requestAnimationFrame(() => document.activeElement === document.body && focusHeading());
    },
    [],
  );

  const fold = (key: string, open: boolean) =>
    setUnfolded((before) => {
      if (before.has(key) === open) return before;
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });

  const row = (found: Found, index: number, top?: number) => {
    const { serverId } = found.server;
    const key = (part: Part) => `${part} ${serverId}`;
    return (
      <li
        key={serverId}
        class="grant"
        data-grant={serverId}
        data-index={index}
        ref={long ? rows.measureElement : null}
        aria-posinset={long ? index + 1 : undefined}
        aria-setsize={long ? count : undefined}
        style={{ top: top === undefined ? "" : `${top}px` }}
      >
        <GrantRow
          partnerId={partnerId}
          on={on}
          found={found}
          whole={!long}
          scroller={scroller}
          isOpen={(part) => unfolded.has(key(part))}
          onFold={(part, open) => fold(key(part), open)}
        />
      </li>
    );
  };

  return (
    <ul
      ref={list}
      class={long ? "grant-list long" : "grant-list"}
      style={{ height: long ? `${rows.getTotalSize()}px` : "" }}
      onFocusIn={({ target }) => {
        const at = target instanceof Element ? target.closest<HTMLElement>("[data-grant]") : null;
        setFocusId(at?.dataset["grant"]);
      }}
    >
      {long
        ? rows.getVirtualItems().map(({ index, start }) => {
            const found = shown[index];
            return found && row(found, index, start - margin);
          })
        : shown.map((found, index) => row(found, index))}
    </ul>
  );
}
