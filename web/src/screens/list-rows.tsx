// The rows of a list at the left: servers, partners. Of a long list only those in sight are in the document, and those that
// the focus can go to next: Tab goes through all rows either way.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useVirtualRows } from "../ui/virtual-rows";

/** So many are in the document as a whole, where the browser's own search finds them too. */
const WHOLE = 20;

/** Where a row stands in a list of which only some rows are in the document. */
interface Slot {
  index: number;
  count: number;
  /** Pixels from the top of the list. */
  top: number;
  measure(row: HTMLElement | null): void;
}

interface ListRowsProps<T> {
  shown: readonly T[];
  chosenId: string | undefined;
  label: string;
  /** The height of most rows in pixels. */
  estimate: number;
  scroller: { readonly current: HTMLElement | null };
  /** What is in a row: a link with `data-server`, and what belongs to it. */
  row(item: T): ComponentChildren;
}

export function ListRows<T extends { readonly id: string }>(props: ListRowsProps<T>) {
  const { shown, chosenId, scroller } = props;
  const list = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  const [covered, setCovered] = useState(0);
  const [focusId, setFocusId] = useState<string | undefined>(undefined);
  // On a narrow screen the way back from what is chosen leads to its row.
  const lastChosen = useRef<string | undefined>(undefined);
  lastChosen.current = chosenId ?? lastChosen.current;

  const count = shown.length;
  const long = count > WHOLE;
  const indexOf = (id: string | undefined) => shown.findIndex((item) => item.id === id);
  const focused = indexOf(focusId);
  const beside = focused === -1 ? [] : [focused - 1, focused, focused + 1];

  const rows = useVirtualRows({
    count: long ? count : 0,
    scroller: () => scroller.current,
    keyOf: (index) => shown[index]?.id ?? String(index),
    estimate: props.estimate,
    // Tab comes into the list at its first row or its last.
    keep: [0, ...beside, indexOf(lastChosen.current), count - 1],
    gap: 2,
    margin,
    covered,
  });

  // What stands above the list comes, goes and unfolds.
  const measure = () => {
    const pane = scroller.current;
    if (!pane || !list.current?.checkVisibility()) return;
    const top = list.current.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
    setMargin(Math.round(top));
    // The head stays in sight, and is as high as its words and buttons need: what is scrolled to stands below it.
    const head = pane.querySelector<HTMLElement>(".pane-top")?.offsetHeight ?? 0;
    setCovered(head);
    pane.style.scrollPaddingTop = `${head}px`;
  };
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const pane = scroller.current;
    if (!pane) return undefined;
    const resized = new ResizeObserver(measure);
    resized.observe(pane);
    pane.addEventListener("toggle", measure, true);
    return () => {
      resized.disconnect();
      pane.removeEventListener("toggle", measure, true);
    };
  }, []);

  // A link to one of them shows its row, once it has its place.
  useLayoutEffect(() => {
    const row = list.current?.querySelector(".chosen");
    if (!row) return undefined;
    const frame = requestAnimationFrame(() => row.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, [chosenId]);

  const rowOf = (item: T, slot?: Slot) => (
    <li
      key={item.id}
      class={item.id === chosenId ? "server-row chosen" : "server-row"}
      ref={slot ? (row) => slot.measure(row) : null}
      data-index={slot?.index}
      aria-posinset={slot && slot.index + 1}
      aria-setsize={slot?.count}
      style={slot && { top: `${slot.top}px` }}
    >
      {props.row(item)}
    </li>
  );

  return (
    <ul
      ref={list}
      class={long ? "server-list long" : "server-list"}
      aria-label={props.label}
      style={{ height: long ? `${rows.getTotalSize()}px` : "" }}
      onFocusIn={({ target }) => {
        const row = target instanceof Element ? target.closest(".server-row") : null;
        setFocusId(row?.querySelector<HTMLElement>("[data-server]")?.dataset["server"]);
      }}
    >
      {long
        ? rows.getVirtualItems().map(({ index, start }) => {
            const item = shown[index];
            return item && rowOf(item, { index, count, top: start - margin, measure: rows.measureElement });
          })
        : shown.map((item) => rowOf(item))}
    </ul>
  );
}

/** Stands where the search field will be while the list is read. */
export function SearchLoading() {
  return (
    <div class="pane-search" aria-hidden="true">
      <span class="bone" />
    </div>
  );
}

/** Rows of so many lines in the place of those that are being read. */
export function RowsLoading({ label, lines }: { label: string; lines: 2 | 3 }) {
  return (
    <div role="status" aria-label={label}>
      <ul class="server-list skeleton" aria-hidden="true">
        {[0, 1, 2].map((row) => (
          <li key={row} class="server-row">
            <span class="bone wide" />
            {lines === 3 && <span class="bone" />}
            <span class="bone" />
          </li>
        ))}
      </ul>
    </div>
  );
}
