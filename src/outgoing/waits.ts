import type { Clock } from "../base/clock.ts";
import { httpDateToMs } from "../base/http-date.ts";
import { OutgoingFault } from "./fault.ts";

export interface WaitLimits {
  /** The longest single wait. */
  readonly oneMs: number;
  /** The longest time that all waits of the work may take together. */
  readonly allMs: number;
}

/** The waits of one piece of work, such as reading all pages of a list. Its requests share it. */
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

  /** Waits, unless that exceeds a limit: then it throws at once, since the work cannot be done in time. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    const { oneMs, allMs } = this.#limits;
    if (ms > oneMs)
      throw tooLong(`${seconds(ms)} at once, and at most ${seconds(oneMs)} are allowed`);
    if (this.#waitedMs + ms > allMs)
      throw tooLong(
        `${seconds(this.#waitedMs + ms)} in all, and at most ${seconds(allMs)} are allowed`,
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

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

/**
 * Returns how long a `Retry-After` header asks to wait: a number of seconds, or a date. Returns `undefined` for a header
 * that says neither, such as a negative number, and for a date that has passed.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = httpDateToMs(text);
  return at === undefined || at < nowMs ? undefined : at - nowMs;
}
