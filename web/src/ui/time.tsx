// A moment as "3 minutes ago", the exact one on hover. Counts on while it is shown.

import { signal } from "@preact/signals";
import { messages } from "../i18n";

const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 30_000);

const STEPS: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

export function RelativeTime({ ms }: { ms: number }) {
  const { locale } = messages.value;
  const past = Math.min(0, ms - Math.max(now.value, Date.now()));
  const [unit, length] = STEPS.find(([, step]) => -past >= step) ?? (["second", 1000] as const);
  const text =
    unit === "second"
      ? messages.value.common.justNow
      : new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.trunc(past / length), unit);
  const exact = new Date(ms);
  return (
    <time dateTime={exact.toISOString()} title={exact.toLocaleString(locale)}>
      {/* As in every count of ours: a space between the number and the Chinese after it. */}
      {text.replace(/\d(?=\p{Script=Han})/u, "$& ")}
    </time>
  );
}
