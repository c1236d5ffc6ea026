import { type Clock, msToInstant } from "../../base/clock.ts";
import { SilenceWatch } from "../../shared/silence-watch.ts";
import type { Message } from "../message.ts";

interface SilenceOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  dispatch(message: Message): void;
}

/**
 * How long an open event stream may deliver nothing. This is far more than the 25 seconds between two heartbeats
 * (docs/contract/http-api.md#54-the-stream), so that a busy machine is not mistaken for a hung daemon.
 */
const SILENT_MS = 40_000;

/** Reports when an open event stream has delivered nothing for `SILENT_MS`, for example because the daemon hangs. */
export class Silence {
  readonly #dispatch: SilenceOptions["dispatch"];
  readonly #watch: SilenceWatch;
  #isSilent = false;

  constructor({ dispatch, ...options }: SilenceOptions) {
    this.#dispatch = dispatch;
    this.#watch = new SilenceWatch({
      ...options,
      ms: SILENT_MS,
      onSilent: (sinceMs) => {
        this.#isSilent = true;
        dispatch({ type: "silent", since: msToInstant(sinceMs) });
      },
    });
  }

  received(): void {
    this.#end();
    this.#watch.received();
  }

  /** Called when the stream has ended. Then no silence is reported, because the screen reports that it reconnects. */
  lost(): void {
    this.#end();
    this.#watch.stop();
  }

  #end(): void {
    if (this.#isSilent) this.#dispatch({ type: "silent", since: undefined });
    this.#isSilent = false;
  }
}
