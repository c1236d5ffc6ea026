import type { Clock } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import { ClientGone } from "../requests/incoming.ts";

/** Allows only one recording at a time, because each of them slows the daemon down. */
export class Recorder {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #stopped = new AbortController();
  #recording = false;

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  /**
   * Begins a recording, which lasts until the returned function is called. Throws `profile_in_progress` if another one
   * runs.
   */
  begin(): () => void {
    if (this.#recording) throw new SvcError("profile_in_progress");
    this.#recording = true;
    return () => {
      this.#recording = false;
    };
  }

  /** Waits this long. Throws if the client disconnects or the daemon stops in the meantime. */
  async wait(ms: number, gone: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, AbortSignal.any([gone, this.#stopped.signal]));
    if (gone.aborted) throw new ClientGone();
    if (this.#stopped.signal.aborted) throw new SvcError("daemon_stopping");
  }

  stop(): void {
    this.#stopped.abort();
  }
}
