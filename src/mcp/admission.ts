import type { Clock } from "../base/clock.ts";
import { ToolError } from "./failure.ts";

/**
 * At most this many calls run at the same time, and at most this many start in a second once the first burst is over
 * (doc 3, Limits).
 */
export const MAX_RUNNING = 8;
export const STARTS_PER_SECOND = 20;

/**
 * The arguments of all waiting calls take at most this many bytes, four messages of the largest size. Each counts for
 * at least `LEAST_BYTES`, since it takes memory without arguments too.
 */
export const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const LEAST_BYTES = 2048;

const START_MS = 1000 / STARTS_PER_SECOND;

/**
 * Admits tool calls: at most `MAX_RUNNING` at once, and after a burst of `STARTS_PER_SECOND` as many per second. Calls
 * wait in the order in which they came (facts mcp 4.1). A call is refused only when those that wait hold
 * `MAX_WAITING_BYTES`. The input is read on even then, because it may cancel what runs.
 */
export class Admission {
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #waitingBytes = 0;
  /** The moment, in ms, at which a full burst is allowed again. Each start moves it on by `START_MS`. */
  #refilledAtMs = 0;
  #isSleeping = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs the work when it is its turn. A call that is aborted while it waits leaves the queue and rejects. `bytes` is
   * the size of its arguments.
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
   * Starts waiting calls as long as both limits allow. If the rate forbids the next one, it runs again when the rate
   * allows that one.
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
