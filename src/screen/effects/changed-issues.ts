import type { Clock } from "../../base/clock.ts";
import type { LiveEvent, Message } from "../message.ts";
import { textOf } from "./failures.ts";
import type { InterruptibleSleep } from "./interruptible-sleep.ts";

export interface ChangedIssuesOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly pause: Pick<InterruptibleSleep, "sleep">;
  readonly signal: AbortSignal;
  dispatch(message: Message): void;
  read(uids: readonly string[]): Promise<Message>;
  seen(): ReadonlySet<string>;
}

/** Changes that follow each other faster than this are read and drawn together. */
export const COALESCE_MS = 300;
/** Issues per request. Between two requests keys are handled. */
const AT_ONCE = 200;
/** Wait after the first failed read; each further failure doubles it. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/**
 * Issues that events have changed and that were not read again yet. Changes that arrive together are read together and
 * drawn together, and visible issues are read first. A failed read is retried, and until a read succeeds the title says
 * that the screen is out of date.
 */
export class ChangedIssues {
  readonly #options: ChangedIssuesOptions;
  #events: LiveEvent[] = [];
  readonly #uids = new Set<string>();
  #isWorking = false;
  #retryMs = FIRST_RETRY_MS;
  #isResting = false;

  constructor(options: ChangedIssuesOptions) {
    this.#options = options;
  }

  onEvent(event: LiveEvent): void {
    this.#events.push(event);
    this.readAgain(event.uids);
  }

  readAgain(uids: readonly string[]): void {
    for (const uid of uids) this.#uids.add(uid);
    void this.#work();
  }

  /** Reads the first change at once, and further changes at most once per COALESCE_MS. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    const { clock, signal } = this.#options;
    this.#isWorking = true;
    while (this.#isDue() && !signal.aborted) {
      await this.#drawTogether();
      await clock.sleep(COALESCE_MS, signal);
    }
    this.#isWorking = false;
  }

  #isDue(): boolean {
    return this.#events.length > 0 || (this.#uids.size > 0 && !this.#isResting);
  }

  async #drawTogether(): Promise<void> {
    const { signal, dispatch } = this.#options;
    const events = this.#events;
    this.#events = [];
    const found = await this.#read();
    if (signal.aborted) return;
    if (events.length > 0) dispatch({ type: "events", events });
    for (const message of found) dispatch(message);
  }

  async #read(): Promise<readonly Message[]> {
    if (this.#isResting || this.#uids.size === 0) return [];
    const uids = this.#next();
    // Remove the uids before the read, so that an event during the read can add its issue again.
    for (const uid of uids) this.#uids.delete(uid);
    try {
      const found = await this.#options.read(uids);
      if (this.#retryMs === FIRST_RETRY_MS) return [found];
      this.#retryMs = FIRST_RETRY_MS;
      return [found, { type: "behind", behind: false }];
    } catch (error) {
      for (const uid of uids) this.#uids.add(uid);
      const isFirst = this.#retryMs === FIRST_RETRY_MS;
      void this.#tryLater();
      return isFirst
        ? [
            { type: "behind", behind: true },
            { type: "failed", text: textOf(error) },
          ]
        : [];
    }
  }

  #next(): readonly string[] {
    if (this.#uids.size <= AT_ONCE) return [...this.#uids];
    const seen = this.#options.seen();
    const first = [...this.#uids].filter((uid) => seen.has(uid));
    return [...new Set([...first, ...this.#uids])].slice(0, AT_ONCE);
  }

  async #tryLater(): Promise<void> {
    const { pause, signal } = this.#options;
    this.#isResting = true;
    const wait = this.#retryMs;
    this.#retryMs = Math.min(wait * 2, LAST_RETRY_MS);
    await pause.sleep(wait, signal);
    this.#isResting = false;
    void this.#work();
  }
}
