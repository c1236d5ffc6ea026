import type { Clock } from "../../base/clock.ts";
import type { Message } from "../message.ts";
import { isCallerRefused } from "./failures.ts";
import {
  type FallbackEvent,
  type FallbackState,
  isAsking,
  isShort,
  nextFallback,
} from "./fallback-state.ts";
import type { InterruptibleSleep } from "./interruptible-sleep.ts";

interface FallbackOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly pause: Pick<InterruptibleSleep, "sleep" | "cut">;
  dispatch(message: Message): void;
  /** Waits until a person sees the screen. Not set for a screen that is always visible. */
  readonly shown?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Reads the events after the last event that was read. Returns true if there may be more. */
  ask(): Promise<boolean>;
  /** Called when the log could not be read, except if the daemon does not accept the caller. */
  onUnanswered(error: unknown): void;
}

/**
 * The time limit of the state `opening`, and of the state `trying` after it. If both time limits have passed, the
 * screen reports a problem.
 */
const PATIENCE_MS = 1500;
/** The time until the next read of the log: `ASK_MS` after a success, `ASK_AGAIN_MS` after a failure. */
const ASK_MS = 5000;
const ASK_AGAIN_MS = 2000;
/** While the log can be read, a new stream is tried only at this interval, because each attempt may hang in a proxy. */
const REOPEN_MS = 10_000;

/** Polls the log while no event stream can be opened, and reports how the screen learns of changes. */
export class Fallback {
  readonly #options: FallbackOptions;
  readonly #refused = Promise.withResolvers<never>();
  #state: FallbackState = "opening";
  #entered = new AbortController();
  #isAsking = false;

  constructor(options: FallbackOptions) {
    this.#options = options;
    // Without this handler, a rejection while nobody awaits the promise would be reported as an unhandled rejection.
    this.#refused.promise.catch(() => undefined);
    void this.#elapse();
  }

  /** A promise that rejects when the daemon does not accept the caller. It never resolves. */
  get refused(): Promise<never> {
    return this.#refused.promise;
  }

  /** Returns the delay before the stream is tried again: `ms`, or at least `REOPEN_MS` while the log can be read. */
  delayOf(ms: number): number {
    return this.#state === "polling" ? Math.max(ms, REOPEN_MS) : ms;
  }

  tell(event: FallbackEvent): void {
    const before = this.#state;
    const state = nextFallback(before, event);
    if (state === before) return;
    this.#state = state;
    this.#entered.abort();
    this.#entered = new AbortController();
    this.#report(state);
    if (isShort(state)) void this.#elapse();
    if (isAsking(state) && !this.#isAsking) void this.#ask();
  }

  #report(state: FallbackState): void {
    const { dispatch, pause } = this.#options;
    if (isShort(state)) return;
    if (state === "away") return dispatch({ type: "live", live: "reconnecting" });
    dispatch({ type: "live", live: state === "polling" ? "polling" : "live" });
    // The daemon is reachable again, so end all waits for it.
    pause.cut();
  }

  async #elapse(): Promise<void> {
    const { clock, signal, shown } = this.#options;
    const until = AbortSignal.any([this.#entered.signal, signal]);
    await shown?.(until);
    await clock.sleep(PATIENCE_MS, until);
    if (!until.aborted) this.tell("elapsed");
  }

  async #ask(): Promise<void> {
    const { signal, pause, shown, ask, onUnanswered } = this.#options;
    this.#isAsking = true;
    while (isAsking(this.#state)) {
      await shown?.(signal);
      if (signal.aborted) return;
      let hasMore = false;
      try {
        hasMore = await ask();
        this.tell("answered");
      } catch (error) {
        if (signal.aborted) return;
        if (isCallerRefused(error)) return this.#refused.reject(error);
        onUnanswered(error);
        this.tell("unanswered");
      }
      const ms = this.#state === "polling" ? ASK_MS : ASK_AGAIN_MS;
      if (isAsking(this.#state) && !hasMore) await pause.sleep(ms, signal);
    }
    this.#isAsking = false;
  }
}
