import type { Clock } from "../base/clock.ts";
import type { FollowItem, LogCursor } from "../shared/follow-state.ts";

/**
 * How often a waiting call checks the daemon if no stream tells it of changes
 * (docs/contract/tools.md#83-issue_lifecycle and docs/contract/tools.md#92-events).
 */
const POLL_MS = 250;
/** Without a stream, all waiting calls together check the daemon at most once in this time. */
const POLL_EACH_MS = 30;
/**
 * How often a waiting call checks the daemon although a stream tells it of changes, in case the stream has been
 * interrupted.
 */
const LOOK_MS = 5000;

/** The part of the daemon's event log that this server may follow with one stream. */
export interface EventSource {
  /** Returns the end of the log, or `undefined` if the daemon is too old to report it. */
  end(): Promise<LogCursor | undefined>;
  follow(after: LogCursor, signal: AbortSignal): AsyncIterable<FollowItem>;
}

/** Waits until something may have changed, at most for this long. */
export type Rest = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Wakes waiting calls when something has changed. All calls of the process share one event stream, which is open while
 * at least one call waits. Without a source, the calls check the daemon at short intervals.
 */
export class News {
  readonly #source: EventSource | undefined;
  readonly #clock: Clock;
  readonly #hold: (signal: AbortSignal) => Promise<() => void>;
  #watchers = 0;
  /** How many times the stream has reported a change. */
  #changeCount = 0;
  #woken = new AbortController();
  #stream: { readonly stop: AbortController; readonly ready: Promise<void> } | undefined;
  #isLive = false;

  /** @param hold Takes a slot of the running calls for the stream, and returns a function that gives it back. */
  constructor(
    source: EventSource | undefined,
    clock: Clock,
    hold: (signal: AbortSignal) => Promise<() => void>,
  ) {
    this.#source = source;
    this.#clock = clock;
    this.#hold = hold;
  }

  /**
   * Runs work that alternately checks the daemon and waits. No change is missed, because the stream begins at the end
   * of the log before the first check.
   */
  async watch<T>(work: (rest: Rest) => Promise<T>): Promise<T> {
    this.#watchers++;
    try {
      if (this.#source !== undefined) await (this.#stream ??= this.#open(this.#source)).ready;
      return await work(this.#restFrom(this.#changeCount));
    } finally {
      this.#watchers--;
      if (this.#watchers === 0) this.#close();
    }
  }

  /**
   * Returns the function with which a call waits. The call has seen all changes up to `changeCount`. If there are many
   * events, the call is woken at most every `POLL_MS`.
   */
  #restFrom(changeCount: number): Rest {
    let seen = changeCount;
    let lookedMs = this.#clock.nowMs() - POLL_MS;
    return async (ms, signal) => {
      const longest = this.#isLive ? LOOK_MS : Math.max(POLL_MS, this.#watchers * POLL_EACH_MS);
      const until = AbortSignal.any([signal, this.#woken.signal]);
      if (seen === this.#changeCount) await this.#clock.sleep(Math.min(ms, longest), until);
      const soonMs = Math.min(ms, lookedMs + POLL_MS - this.#clock.nowMs());
      if (soonMs > 0 && !signal.aborted) await this.#clock.sleep(soonMs, signal);
      seen = this.#changeCount;
      lookedMs = this.#clock.nowMs();
    };
  }

  #open(source: EventSource): { readonly stop: AbortController; readonly ready: Promise<void> } {
    const stop = new AbortController();
    const ready = source.end().then(
      (end) => {
        if (end !== undefined) void this.#follow(source, end, stop.signal);
      },
      // Ignore the error: the waiting call sends a request next, and the error of that request is more useful.
      () => undefined,
    );
    return { stop, ready };
  }

  async #follow(source: EventSource, end: LogCursor, signal: AbortSignal): Promise<void> {
    try {
      const release = await this.#hold(signal);
      this.#isLive = !signal.aborted;
      try {
        for await (const _item of source.follow(end, signal)) this.#wakeAll();
      } finally {
        release();
      }
    } catch {
      // The stream was refused or has ended. The waiting calls check the daemon at intervals.
    }
    if (!signal.aborted) this.#isLive = false;
  }

  #wakeAll(): void {
    this.#changeCount++;
    this.#woken.abort();
    this.#woken = new AbortController();
  }

  #close(): void {
    this.#stream?.stop.abort();
    this.#stream = undefined;
    this.#isLive = false;
  }
}
