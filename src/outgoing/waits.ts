import type { Clock } from "../base/clock.ts";
import { httpDateToMs } from "../base/http-date.ts";
import { OutgoingFault } from "./fault.ts";

export interface WaitLimits {
  /** The maximum length of a single wait. */
  readonly oneMs: number;
  /** The maximum length of all waits of the work together. */
  readonly allMs: number;
}

/**
 * Counts the waits of one piece of work, such as reading all pages of a list. All requests of the work share one
 * object.
 */
export class Waits {
  readonly #clock: Clock;
  readonly #limits: WaitLimits;
  #waitedMs = 0;

  constructor({ clock }: { readonly clock: Clock }, limits: WaitLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  /** Waits. If the wait would exceed a limit, throws at once, because the work cannot be completed in time. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    const { oneMs, allMs } = this.#limits;
    if (ms > oneMs)
      throw tooLong(`${secondsText(ms)} at once, and at most ${secondsText(oneMs)} are allowed`);
    if (this.#waitedMs + ms > allMs)
      throw tooLong(
        `${secondsText(this.#waitedMs + ms)} in all, and at most ${secondsText(allMs)} are allowed`,
      );
    this.#waitedMs += ms;
    await this.#clock.sleep(ms, signal);
    if (signal?.aborted === true)
      throw new OutgoingFault("stopped", "the request was stopped", false);
  }
}

function tooLong(what: string): OutgoingFault {
  return new OutgoingFault("wait_too_long", `the retry wait exceeds its limit: ${what}`, true);
}

function secondsText(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

/**
 * Parses a `Retry-After` header: a number of seconds, or a date. Returns the wait in ms. Returns `undefined` for
 * anything else, such as a negative number, and for a date that has passed.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = httpDateToMs(text);
  return at === undefined || at < nowMs ? undefined : at - nowMs;
}
