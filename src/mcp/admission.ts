import type { Clock } from "../base/clock.ts";
import { ToolError } from "./failure.ts";

/** The maximum number of tool calls that run at the same time (doc 3, Limits). */
export const MAX_RUNNING = 8;

/**
 * The maximum number of tool calls that start in a second (doc 3, Limits). After a second without calls, this many may
 * start at once.
 */
export const STARTS_PER_SECOND = 20;

/** The maximum size of the arguments of all waiting calls, in bytes: four messages of the largest size. */
export const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** Each waiting call counts for at least this many bytes, because a call without arguments takes memory too. */
const LEAST_BYTES = 2048;

const START_MS = 1000 / STARTS_PER_SECOND;

/**
 * Starts tool calls in the order in which they came, within the limits of `MAX_RUNNING` and `STARTS_PER_SECOND` (facts
 * mcp 4.1). A call that may not start yet waits. It is refused only if the arguments of all waiting calls would have
 * more than `MAX_WAITING_BYTES`. The server always reads further messages, because the next one may cancel a running
 * call.
 */
export class Admission {
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #waitingBytes = 0;
  /** The time, in ms, at which a full burst is allowed again. Each start makes it later by `START_MS`. */
  #refilledAtMs = 0;
  #isSleeping = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits until the call may run, and then runs the work. A call that is aborted while it waits leaves the queue and
   * rejects. `bytes` is the size of its arguments.
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>, bytes = 0): Promise<T> {
    const held = Math.max(bytes, LEAST_BYTES);
    if (this.#waitingBytes + held > MAX_WAITING_BYTES)
      throw new ToolError("too many calls wait; send it again when others are answered");
    this.#waitingBytes += held;
    try {
      await this.#enter(signal);
    } finally {
      this.#waitingBytes -= held;
    }
    try {
      return await work();
    } finally {
      this.#running--;
      this.#admit();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  /**
   * Starts waiting calls as long as both limits allow it. If only the rate forbids the next call, runs again at the
   * time when the rate allows it.
   */
  #admit(): void {
    while (this.#waiting.length > 0 && this.#running < MAX_RUNNING) {
      const nowMs = this.#clock.nowMs();
      const fullMs = Math.max(this.#refilledAtMs, nowMs);
      const waitMs = fullMs + START_MS - nowMs - STARTS_PER_SECOND * START_MS;
      if (waitMs > 0) return this.#later(waitMs);
      this.#refilledAtMs = fullMs + START_MS;
      this.#running++;
      this.#waiting.shift()?.start();
    }
  }

  #later(ms: number): void {
    if (this.#isSleeping) return;
    this.#isSleeping = true;
    void this.#clock.sleep(ms).then(() => {
      this.#isSleeping = false;
      this.#admit();
    });
  }
}

interface Waiting {
  start(): void;
}
