/** How fast a backfill goes, from samples of how many issues it has embedded. */

/** How many issues of the backfill were done at a time, which is in milliseconds. */
export interface ProgressSample {
  readonly at: number;
  readonly done: number;
}

const WINDOW_MS = 60_000;

/**
 * Adds a sample and drops those that are older than a minute. The last sample is kept even then, so a provider that
 * takes longer than a minute for a batch has a rate too.
 */
export function withSample(
  samples: readonly ProgressSample[],
  sample: ProgressSample,
): readonly ProgressSample[] {
  const recent = samples.filter(({ at }) => at >= sample.at - WINDOW_MS);
  return [...(recent.length > 0 ? recent : samples.slice(-1)), sample];
}

/**
 * Returns issues per second, and how many seconds `backlog` issues take at this rate. Both are absent before there are
 * two samples at different times, and the time left is absent while nothing gets done. The rate is 0 when the last
 * sample is older than a minute and than the time between the samples.
 */
export function progressOf(
  samples: readonly ProgressSample[],
  backlog: number,
  nowMs: number,
): { readonly rate_per_second?: number; readonly eta_seconds?: number } {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at) return {};
  const ms = last.at - first.at;
  if (nowMs - last.at > Math.max(WINDOW_MS, ms)) return { rate_per_second: 0 };
  const rate = Math.max(0, last.done - first.done) / (ms / 1000);
  return { rate_per_second: rate, ...(rate > 0 ? { eta_seconds: Math.ceil(backlog / rate) } : {}) };
}
