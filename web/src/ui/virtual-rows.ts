// A long list of which only the rows in sight are in the document, on @tanstack/virtual-core. Rows measure themselves.

import {
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  type Rect,
  Virtualizer,
} from "@tanstack/virtual-core";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

export interface VirtualRowsOptions {
  count: number;
  scroller: () => HTMLElement | null;
  keyOf(index: number): string;
  estimate: number;
  /** Rows that stay mounted wherever they are, as those with the focus and those it goes to next. */
  keep: readonly number[];
  /** How many rows beyond those in sight are mounted, above and below. */
  overscan?: number;
  /** Pixels between two rows. */
  gap?: number;
  /** Pixels from the top of the scrolled content to the list. */
  margin: number;
  /** Pixels at the top of the view that something sticky covers. */
  covered: number;
}

export type VirtualRows = Virtualizer<HTMLElement, HTMLElement>;

export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const full = {
    count: options.count,
    getScrollElement: options.scroller,
    estimateSize: () => options.estimate,
    getItemKey: options.keyOf,
    gap: options.gap ?? 0,
    overscan: options.overscan ?? 4,
    scrollMargin: options.margin,
    scrollPaddingStart: options.covered,
    scrollToFn: elementScroll,
    // What is hidden for a while, as the list beside a server on a narrow screen, keeps its rows and their heights.
    initialRect: { width: innerWidth, height: innerHeight },
    observeElementRect: (instance: VirtualRows, changed: (rect: Rect) => void) =>
      observeElementRect(instance, (rect) => rect.height > 0 && changed(rect)),
    observeElementOffset,
    measureElement: (element: HTMLElement, entry: ResizeObserverEntry | undefined, instance: VirtualRows) => {
      const key = options.keyOf(instance.indexFromElement(element));
      return measureElement(element, entry, instance) || (instance.itemSizeCache.get(key) ?? options.estimate);
    },
    onChange: () => rerender(0),
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const indexes = defaultRangeExtractor(range);
      const kept = options.keep.filter((index) => index >= 0 && index < options.count);
      return [...new Set([...indexes, ...kept])].sort((a, b) => a - b);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(full));
  virtualizer.setOptions(full);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
