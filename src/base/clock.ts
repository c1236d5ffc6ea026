/** A UTC instant as every layer writes it: `YYYY-MM-DDTHH:MM:SS.mmmZ`. Instants of this form sort as text. */
export type Instant = string;

/** The only source of time. Tests pass a fake one; nothing outside `base/` reads the system clock. */
export interface Clock {
  nowMs(): number;
  now(): Instant;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted (it never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Set only by test clocks: the store then uses this clock instead of the clock of the database server. */
  readonly movesServer?: true;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  now: () => msToInstant(Date.now()),
  sleep: async (ms, signal) => {
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    });
  },
};

/** Returns a function that gives the milliseconds since this call. Changes of the system time do not affect it. */
export function stopwatch(): () => number {
  const begun = performance.now();
  return () => Math.round(performance.now() - begun);
}

/** Waits and measures in real time. Changes of the system time do not affect it. */
export interface RealTime extends Pick<Clock, "sleep"> {
  /** Like the function `stopwatch`. */
  stopwatch(): () => number;
}

export const realTime: RealTime = { sleep: systemClock.sleep, stopwatch };

export function msToInstant(ms: number): Instant {
  return new Date(ms).toISOString();
}

export function instantToMs(instant: Instant): number {
  return Date.parse(instant);
}

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Matches instants in svc's form up to day 28. Every month has these days, so such a date needs no further check. */
const OWN_FORM =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Like `OWN_FORM`, but without milliseconds, as many other programs write instants. */
const WHOLE_SECONDS =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * Converts an RFC 3339 instant to svc's form. Returns `undefined` for any other text and for impossible times, such as
 * 30 February or 24:00.
 */
export function parseInstant(text: string): Instant | undefined {
  if (OWN_FORM.test(text)) return text;
  if (WHOLE_SECONDS.test(text)) return text.replace("Z", ".000Z");
  const parts = RFC3339.exec(text);
  if (parts === null) return undefined;
  const ms = Date.parse(text.toUpperCase());
  if (Number.isNaN(ms)) return undefined;
  const [, year, month, day] = parts;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(day) > lastDay) return undefined;
  // `toISOString` writes years outside 0 to 9999 with a sign, and such instants would not sort as text, so refuse them.
  const instant = msToInstant(ms);
  return /^\d{4}-/.test(instant) ? instant : undefined;
}
