// A long list of which only the rows in sight are in the document, on @tanstack/virtual-core. Rows measure themselves.

import {
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

export interface VirtualRowsOptions {
  count: number;
  scroller: () => HTMLElement | null;
  keyOf(index: number): string;
  estimate: number;
  /** A row that stays mounted wherever it is: the one with the focus. */
  keep: number | undefined;
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
    overscan: 4,
    scrollMargin: options.margin,
    scrollPaddingStart: options.covered,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    measureElement,
    onChange: () => rerender(0),
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const indexes = defaultRangeExtractor(range);
      const { keep } = options;
      if (keep === undefined || keep >= options.count || indexes.includes(keep)) return indexes;
      return [...indexes, keep].sort((a, b) => a - b);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(full));
  virtualizer.setOptions(full);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
