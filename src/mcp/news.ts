import type { Clock } from "../base/clock.ts";
import type { FollowItem, LogCursor } from "../shared/follow-state.ts";

/** How often a waiting call looks by itself where no stream can tell it of changes (facts mcp 8.3, 9.2). */
const POLL_MS = 250;
/** All waiting calls together look at most this often without a stream: one of them after each of these times. */
const POLL_EACH_MS = 30;
/** How often a waiting call looks although the stream tells it of changes, in case the stream is interrupted. */
const LOOK_MS = 5000;

/** The daemon's event log, as far as this server may follow it with one stream. */
export interface EventSource {
  /** Returns the end of the log, or `undefined` if the daemon is too old to tell. */
  end(): Promise<LogCursor | undefined>;
  follow(after: LogCursor, signal: AbortSignal): AsyncIterable<FollowItem>;
}

/** Waits until something may have changed, or for at most this long. */
export type Rest = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Tells waiting calls that something has changed. All calls of the process share one stream of events, which is open
 * while at least one of them waits. Without a source they look again after short times.
 */
export class News {
  readonly #source: EventSource | undefined;
  readonly #clock: Clock;
  readonly #hold: (signal: AbortSignal) => Promise<() => void>;
  #watchers = 0;
  /** Counts what the stream has told. */
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
   * Runs work that looks at the daemon and rests in turn. No change is missed: the stream begins at the end that the log
   * had before the first look.
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

  /** Returns how a call rests that has seen everything up to now. A busy log wakes it at most every `POLL_MS`. */
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
      // The call that waits asks the daemon next, and its answer is the better error.
      () => undefined,
    );
    return { stop, ready };
  }

  async #follow(source: EventSource, end: LogCursor, signal: AbortSignal): Promise<void> {
    try {
      const release = await this.#hold(signal);
      this.#isLive = !signal.aborted;
      try {
        for await (const _item of source.follow(end, signal)) this.#tell();
      } finally {
        release();
      }
    } catch {
      // The stream was refused or stopped: waiting calls look by themselves.
    }
    if (!signal.aborted) this.#isLive = false;
  }

  #tell(): void {
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
