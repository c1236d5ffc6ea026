import type { Clock } from "../src/base/clock.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import type { Pause } from "../src/screen/effects/pause.ts";
import type { LiveEvent, Message } from "../src/screen/step.ts";

export interface ChangedIssuesOptions {
  readonly clock: Pick<Clock, "sleep">;
  /** How it waits before it tries again. */
  readonly pause: Pick<Pause, "sleep">;
  readonly signal: AbortSignal;
  dispatch(message: Message): void;
  /** Reads the issues again, and gives what the screen is to be told of them. */
  read(uids: readonly string[]): Promise<Message>;
  /** The issues that the person sees now. */
  seen(): ReadonlySet<string>;
}

/** Changes are drawn together when they come faster than this. */
const COALESCE_MS = 100;
/** So many are asked for in one call, and so in one turn: between two of them keys are heard. */
const AT_ONCE = 200;
/** When reading failed it is tried again after so long, and then after twice as long each time. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/**
 * Issues that something happened to, until they were read again. What comes together costs one reading and one picture;
 * of more than one reading takes, what is seen is read first. What could not be read stays known as old: it is tried
 * again by itself, and the title says so until then.
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

  /** At once after a pause, and then at most every tenth of a second. */
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

  /** What happened and what became of it are one picture. */
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
    // What happens to one of them while they are read makes it stale again.
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
