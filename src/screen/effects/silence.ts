import { type Clock, msToInstant } from "../../base/clock.ts";
import type { Message } from "../message.ts";

interface SilenceOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  dispatch(message: Message): void;
}

/**
 * How long an open event stream may bring nothing. This is well beyond the 25 seconds between two heartbeats (facts
 * http-api 5.4), so that a busy machine is not taken for a hung daemon.
 */
const SILENT_MS = 40_000;

/** Reports when an open event stream has brought nothing for `SILENT_MS`, for example because the daemon hangs. */
export class Silence {
  readonly #options: SilenceOptions;
  #receivedMs: number | undefined;
  #isWatching = false;
  #isSilent = false;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  received(): void {
    this.#receivedMs = this.#options.clock.nowMs();
    this.#end();
    if (!this.#isWatching) void this.#watch();
  }

  /** Called when the stream breaks. Then no silence is reported, because the screen reports that it reconnects. */
  lost(): void {
    this.#receivedMs = undefined;
    this.#end();
  }

  #end(): void {
    if (this.#isSilent) this.#options.dispatch({ type: "silent", since: undefined });
    this.#isSilent = false;
  }

  async #watch(): Promise<void> {
    const { clock, signal, dispatch } = this.#options;
    this.#isWatching = true;
    while (this.#receivedMs !== undefined && !this.#isSilent && !signal.aborted) {
      const left = this.#receivedMs + SILENT_MS - clock.nowMs();
      // If the system clock was set back, `left` is far too long.
      if (left > 0) await clock.sleep(Math.min(left, SILENT_MS), signal);
      else {
        this.#isSilent = true;
        dispatch({ type: "silent", since: msToInstant(this.#receivedMs) });
      }
    }
    this.#isWatching = false;
  }
}
