// A part of the page that is a chunk of its own, loaded when it is first shown or, before that, once the page has nothing
// else to do. Until it is there nothing stands in its place; where it cannot be loaded, that is said.

import { signal } from "@preact/signals";
import type { ComponentType, VNode } from "preact";
import { useEffect } from "preact/hooks";

export interface LazyOptions {
  /** Stands in the part's place while it is loaded. */
  waiting?: () => VNode;
  /** Stands there where it could not be; `retry` tries again. */
  failed: (retry: () => void) => VNode | null;
}

const early: (() => void)[] = [];

export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { waiting, failed }: LazyOptions,
): ComponentType<P> {
  const part = signal<ComponentType<P> | "no" | "loading" | "failed">("no");
  const start = () => {
    if (part.peek() !== "no" && part.peek() !== "failed") return;
    part.value = "loading";
    load().then(
      (component) => (part.value = component),
      () => (part.value = "failed"),
    );
  };
  // One that could not be loaded early is not there yet, no more.
  early.push(() => {
    if (part.peek() === "no")
      load()
        .then((component) => (part.value = component))
        .catch(() => undefined);
  });
  return function Lazy(props: P) {
    useEffect(start, []);
    const now = part.value;
    if (typeof now !== "string") {
      const Part = now;
      return <Part {...props} />;
    }
    return now === "failed" ? failed(start) : (waiting?.() ?? null);
  };
}

/** Loads every part, one after the other, when the page is idle: what is opened later is there at once, with or without the host. */
export function loadEarly(): void {
  const next = () => {
    const load = early.shift();
    if (!load) return;
    load();
    whenIdle(next);
  };
  whenIdle(next);
}

function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: 5_000 });
  else setTimeout(run, 200);
}
