// Run once, Stop waiting, how long it has taken, and the arguments of earlier runs.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TestCall } from "../../state/test-calls";
import { visible } from "../../text/visible";
import { Untrusted } from "../../text/untrusted";
import { Button } from "../../ui/button";
import { Spinner } from "../../ui/icon";
import { RelativeTime } from "../../ui/time";
import { words } from "./words";

export function RunBar({ call, onRun }: { call: TestCall; onRun(): void }) {
  const texts = words.value;
  const run = call.run.value;
  const running = call.isRunning;
  const bar = useRef<HTMLDivElement>(null);
  // Results are told above the bar.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty("--bar", `${bar.current?.offsetHeight ?? 0}px`));
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--bar");
    };
  }, []);
  return (
    <div class="call-bar" ref={bar}>
      {running ? (
        <Button icon="square" kind="plain" busy={run?.stopped === true} data-run onClick={() => call.stop()}>
          {run?.stopped ? texts.stopping : texts.stop}
        </Button>
      ) : (
        <Button icon="play" kind="primary" data-run title={texts.runKeys} onClick={onRun}>
          {texts.run}
        </Button>
      )}
      <div class="call-progress">
        <p role="status" class="visually-hidden">
          {running && texts.running}
        </p>
        {running && run && (
          <>
            <Spinner />
            <span aria-hidden="true">{texts.running}</span>
            <Elapsed since={run.startedAt} />
            <span class="hint">{texts.stopNote}</span>
          </>
        )}
      </div>
    </div>
  );
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span class="elapsed">{words.value.elapsed(Math.max(0, Math.round((now - since) / 1_000)))}</span>;
}

/** Characters of arguments that a line shows. */
const LINE_CHARS = 160;

export function RecentArguments({ call }: { call: TestCall }) {
  const texts = words.value;
  // Nobody needs {} again. What stands in the form as it is is no offer either, until there has been another one.
  const recent = call.recent.value.filter(({ text }) => text !== "{}");
  const offers = useRef(false);
  offers.current ||= recent.some(({ text }) => text !== call.text.value);
  if (recent.length === 0 || !offers.current) return null;
  return (
    <details class="disclosure recent">
      <summary>{texts.recent(recent.length)}</summary>
      <p class="hint">{texts.recentNote}</p>
      <ul>
        {recent.map(({ text, atMs }) => {
          const line = text.slice(0, LINE_CHARS).replace(/\s+/g, " ");
          return (
            <li key={text}>
              <code class="clip">
                <Untrusted text={line} />
              </code>
              <RelativeTime ms={atMs} />
              <Button
                kind="quiet"
                aria-label={texts.recentUseLabel(visible(line))}
                onClick={() => (call.text.value = text)}
              >
                {texts.recentUse}
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
