import type { Clock } from "../../base/clock.ts";

/**
 * Silence is counted in ticks of this length. So neither a change of the clock nor a pause of this program counts as
 * silence.
 */
const TICK_MS = 500;

/** How many ticks of silence are allowed for a connect or an ordinary statement: ten seconds. */
const TERM_TICKS = 20;

/**
 * Large statements have no time limit. After this many ticks of silence (five seconds), the server is asked about the
 * session.
 */
const LOOK_TICKS = 10;

/**
 * After this many ticks (1 to 1.5 seconds) an ordinary statement counts as late. Writes that wait for it are refused
 * only after a longer time.
 */
const LATE_TICKS = 3;

/**
 * What the server says about a session that has not answered:
 *
 * - `working`: it is carrying out a statement, or waits for another session.
 * - `idle`: it waits for this program, while this program waits for the server. So a message was lost or is on its way.
 * - `gone`: the server has ended the session.
 */
export type Sight = "working" | "idle" | "gone";

/** Asks the server about a session, over another connection. */
export type Look = () => Promise<Sight>;

interface Options {
  /** The real clock, because a test's clock does not control the server. */
  readonly clock: Pick<Clock, "sleep">;
  /** The number of bytes that have arrived so far. */
  readonly arrived: () => number;
  /** Called once, when the session is given up. */
  readonly silent: () => void;
}

/**
 * Watches one session. Every statement must be answered. After ten seconds of silence the session is given up. If a
 * `look` is set, there is no such limit. The session is then given up only if two looks in a row find it idle, or if
 * one look finds it gone. A look that fails counts as idle.
 *
 *  ```text
 *  idle ── asked ──> waiting ── answered ──> idle
 *                     │ ^
 *                     │ └── bytes arrive, or the server works: silence is 0 again
 *                     └── silent for the whole term, or seen idle twice, or seen gone: given up
 *  ```
 */
export class AnswerWatch {
  readonly #options: Options;
  readonly #stopped = new AbortController();
  #look: Look | undefined;
  #pending = 0;
  #silentTicks = 0;
  /** How many times in a row the server seemed not to work for this session. */
  #doubts = 0;
  #arrived = 0;
  #watching = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Sets the function that asks the server about statements without an answer. Without it, statements have a time
   * limit.
   */
  judgeBy(look: Look | undefined): void {
    this.#look = look;
    this.#doubts = 0;
  }

  get isWaiting(): boolean {
    return this.#pending > 0;
  }

  /**
   * Whether an answer is late. Without a `look` this depends on the time, otherwise on the last answer of the server.
   */
  get isLate(): boolean {
    if (!this.isWaiting) return false;
    return this.#look === undefined ? this.#silentTicks >= LATE_TICKS : this.#doubts > 0;
  }

  /** Watches the session until the statement is answered. */
  async during<T>(question: Promise<T>): Promise<T> {
    if (this.#pending === 0) this.#noteArrival();
    this.#pending += 1;
    if (!this.#watching) void this.#watch();
    try {
      return await question;
    } finally {
      this.#pending -= 1;
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopped;
    this.#watching = true;
    for (;;) {
      await this.#options.clock.sleep(TICK_MS, signal);
      if (signal.aborted) return;
      if (!this.isWaiting) break;
      if (await this.#isOver()) {
        this.stop();
        return this.#options.silent();
      }
    }
    this.#watching = false;
  }

  async #isOver(): Promise<boolean> {
    if (this.#options.arrived() !== this.#arrived) {
      this.#noteArrival();
      return false;
    }
    this.#silentTicks += 1;
    if (this.#look === undefined) return this.#silentTicks >= TERM_TICKS;
    if (this.#silentTicks < LOOK_TICKS) return false;
    const sight = await this.#look().catch(() => "idle" as const);
    // An answer that came during the look is newer than the result of the look.
    if (!this.isWaiting || this.#options.arrived() !== this.#arrived) return false;
    this.#silentTicks = 0;
    this.#doubts = sight === "working" ? 0 : this.#doubts + 1;
    return sight === "gone" || this.#doubts === 2;
  }

  #noteArrival(): void {
    this.#arrived = this.#options.arrived();
    this.#silentTicks = 0;
    this.#doubts = 0;
  }
}
