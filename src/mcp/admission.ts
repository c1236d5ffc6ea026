import type { Clock } from "../base/clock.ts";
import { ToolError } from "./failure.ts";

/** The maximum number of tool calls that run at the same time (docs/contract/tools.md#41-calls). */
export const MAX_RUNNING = 8;

/**
 * The maximum number of tool calls that start in a second (docs/contract/tools.md#41-calls). After a second without
 * calls, this many may start at once.
 */
export const STARTS_PER_SECOND = 20;

/** The maximum size of the arguments of all waiting calls, in bytes: four messages of the largest size. */
export const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** Each waiting call counts for at least this many bytes, because a call without arguments takes memory too. */
const LEAST_BYTES = 2048;

/** The maximum number of calls that wait without a slot (`Slot.leave`). Further calls wait in their slots. */
const MAX_RESTING = 256;

/** One of the `MAX_RUNNING` places for running calls. */
export interface Slot {
  /** Gives the slot back during `wait`, so that other calls can run, and takes a slot again before it returns. */
  leave<T>(wait: () => Promise<T>): Promise<T>;
}

const START_MS = 1000 / STARTS_PER_SECOND;

/**
 * Starts tool calls in the order in which they came, within the limits of `MAX_RUNNING` and `STARTS_PER_SECOND`
 * (docs/contract/tools.md#41-calls). A call that may not start yet waits. It is refused only if the arguments of all
 * waiting calls would have more than `MAX_WAITING_BYTES`. The server always reads further messages, because the next
 * one may cancel a running call.
 */
export class Admission {
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #resting = 0;
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
  async run<T>(signal: AbortSignal, work: (slot: Slot) => Promise<T>, bytes = 0): Promise<T> {
    const ownBytes = Math.max(bytes, LEAST_BYTES);
    if (this.#waitingBytes + ownBytes > MAX_WAITING_BYTES)
      throw new ToolError("too many calls wait; send it again when others are answered");
    this.#waitingBytes += ownBytes;
    try {
      await this.#enter(signal);
    } finally {
      this.#waitingBytes -= ownBytes;
    }
    try {
      return await work({ leave: async (wait) => await this.#leave(wait) });
    } finally {
      this.#release();
    }
  }

  /** Takes a slot that does not count as the start of a call, and returns a function that gives it back. */
  async hold(signal: AbortSignal): Promise<() => void> {
    await this.#enter(signal, false);
    return () => this.#release();
  }

  async #leave<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#resting >= MAX_RESTING) return await wait();
    this.#resting++;
    this.#release();
    try {
      return await wait();
    } finally {
      this.#resting--;
      await this.#enter(NEVER, false);
    }
  }

  #release(): void {
    this.#running--;
    this.#admit();
  }

  async #enter(signal: AbortSignal, isStart = true): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        isStart,
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
   * time when the rate allows it. Entries that do not start a call ignore the rate.
   */
  #admit(): void {
    while (this.#waiting.length > 0 && this.#running < MAX_RUNNING) {
      const nowMs = this.#clock.nowMs();
      const fullMs = Math.max(this.#refilledAtMs, nowMs);
      const waitMs = fullMs + START_MS - nowMs - STARTS_PER_SECOND * START_MS;
      if (waitMs > 0) this.#admitLater(waitMs);
      const at = this.#waiting.findIndex(({ isStart }) => waitMs <= 0 || !isStart);
      const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      if (next.isStart) this.#refilledAtMs = fullMs + START_MS;
      this.#running++;
      next.start();
    }
  }

  #admitLater(ms: number): void {
    if (this.#isSleeping) return;
    this.#isSleeping = true;
    void this.#clock.sleep(ms).then(() => {
      this.#isSleeping = false;
      this.#admit();
    });
  }
}

const NEVER = new AbortController().signal;

interface Waiting {
  /** True for a call, which counts towards `STARTS_PER_SECOND`. */
  readonly isStart: boolean;
  start(): void;
}
