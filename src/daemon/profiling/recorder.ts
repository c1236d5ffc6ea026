import type { Clock } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import { ClientGone } from "../incoming.ts";

/** Lets one profile at a time be recorded, since each slows the daemon down. */
export class Recorder {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #stopped = new AbortController();
  #recording = false;

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  /** Throws `profile_in_progress`; otherwise the caller records until it calls the returned function. */
  begin(): () => void {
    if (this.#recording) throw new SvcError("profile_in_progress");
    this.#recording = true;
    return () => {
      this.#recording = false;
    };
  }

  /** Throws when the client leaves or the daemon stops. */
  async wait(ms: number, gone: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, AbortSignal.any([gone, this.#stopped.signal]));
    if (gone.aborted) throw new ClientGone();
    if (this.#stopped.signal.aborted) throw new SvcError("daemon_stopping");
  }

  stop(): void {
    this.#stopped.abort();
  }
}
