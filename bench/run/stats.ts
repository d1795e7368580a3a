// How often, how long, and what of it is kept: the median of many runs, which one slow run does not move.

/** What was kept of many measurements of one thing, in milliseconds. */
export interface Times {
  readonly median: number;
  /** The fastest tenth ends here, and the slowest begins there. */
  readonly p10: number;
  readonly p90: number;
  readonly runs: number;
}

/** Two digits after the point are more than any of these clocks is good for. */
export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

export function times(all: readonly number[]): Times {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN, 3);
  return { median: at(0.5), p10: at(0.1), p90: at(0.9), runs: sorted.length };
}

/** Milliseconds of something, and what it answered. */
export async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/** Does something so many times, one after the other, after once to warm up. */
export async function repeated(count: number, work: (run: number) => Promise<unknown>): Promise<Times> {
  await work(-1);
  const all: number[] = [];
  for (let run = 0; run < count; run++) all.push((await timed(() => work(run)))[0]);
  return times(all);
}

/** How many of something are done in a second, so many of them at a time. */
export async function perSecond(total: number, atATime: number, work: () => Promise<unknown>): Promise<number> {
  await Promise.all(Array.from({ length: atATime }, work));
  let left = total;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  const [ms] = await timed(() => Promise.all(Array.from({ length: atATime }, worker)));
  return Math.round((total / ms) * 1000);
}
