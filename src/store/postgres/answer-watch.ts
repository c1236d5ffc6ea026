import type { Clock } from "../../base/clock.ts";

/** Silence is counted in ticks, so that neither a change of the clock nor a hang of this program counts as silence. */
const TICK_MS = 500;

/** A connect or a statement of an ordinary write gets its answer within ten seconds. */
const TERM_TICKS = 20;

/** Bulk work has no such term. Every five seconds of silence, the server is asked about it. */
const LOOK_TICKS = 10;

/** An ordinary statement is late after one to one and a half seconds, before writes that wait for it are refused. */
const LATE_TICKS = 3;

/**
 * What the server says about a session that has not answered:
 *
 * - `working`: it carries out a statement, or waits for another session.
 * - `idle`: it waits for this program, which waits for it. So a message was lost, or is just under way.
 * - `gone`: it has ended the session.
 */
export type Sight = "working" | "idle" | "gone";

/** Asks the server about the session on another connection. */
export type Look = () => Promise<Sight>;

interface Options {
  /** Real time, since the server does not live by a test's clock. */
  readonly clock: Pick<Clock, "sleep">;
  /** The number of bytes that have arrived so far. */
  readonly arrived: () => number;
  /** Called once, when the watch has given up. */
  readonly silent: () => void;
}

/**
 * Watches one session: whatever it asks the server has to be answered. After ten seconds of silence the watch gives up.
 * With a look, it gives up only if the server says twice in a row that it does not work for this session, or cannot be
 * asked.
 *
 * ```text
 * idle ── asked ──> waiting ── answered ──> idle
 *                    │    ^
 *                    │    └── bytes arrive, or the server works: silence is 0 again
 *                    └── silent for the whole term, or seen idle twice, or seen gone: given up
 * ```
 */
export class AnswerWatch {
  readonly #options: Options;
  readonly #stopped = new AbortController();
  #look: Look | undefined;
  #pending = 0;
  #silentTicks = 0;
  /** The number of looks in a row after which the server did not seem to work for this session. */
  #doubts = 0;
  #arrived = 0;
  #watching = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** From now on the server is asked about silent statements; without a look they have a term. */
  judgeBy(look: Look | undefined): void {
    this.#look = look;
    this.#doubts = 0;
  }

  get isWaiting(): boolean {
    return this.#pending > 0;
  }

  /** Whether an answer is late, by the present evidence. */
  get isLate(): boolean {
    if (!this.isWaiting) return false;
    return this.#look === undefined ? this.#silentTicks >= LATE_TICKS : this.#doubts > 0;
  }

  /** Watches until the question is answered. */
  async during<T>(question: Promise<T>): Promise<T> {
    if (this.#pending === 0) this.#heard();
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
      this.#heard();
      return false;
    }
    this.#silentTicks += 1;
    if (this.#look === undefined) return this.#silentTicks >= TERM_TICKS;
    if (this.#silentTicks < LOOK_TICKS) return false;
    const sight = await this.#look().catch(() => "idle" as const);
    // An answer that came meanwhile is newer than the look.
    if (!this.isWaiting || this.#options.arrived() !== this.#arrived) return false;
    this.#silentTicks = 0;
    this.#doubts = sight === "working" ? 0 : this.#doubts + 1;
    return sight === "gone" || this.#doubts === 2;
  }

  #heard(): void {
    this.#arrived = this.#options.arrived();
    this.#silentTicks = 0;
    this.#doubts = 0;
  }
}
