import type { Clock } from "../../src/base/clock.ts";
import { SilenceWatch } from "../../src/shared/silence-watch.ts";
import { aborted } from "./aborted.ts";
import {
  AWAY,
  type LeaderAct,
  type LeaderEvent,
  type LeaderState,
  nextLeader,
} from "./leader-state.ts";
import { type Channel, SHARED_NAME, type WindowMessaging } from "./windows.ts";

/**
 * What the leader tells the other windows about its event stream: whether it delivers something, and up to where the
 * leader has read the log. It does not send the events themselves, because each window reads them with its own session.
 */
export interface StreamProgress {
  readonly isOpen: boolean;
  /** How many pieces the stream has delivered. While a daemon hangs, the leader keeps sending the same number. */
  readonly pieces: number;
  readonly cursor: number;
  readonly epoch: string | undefined;
}

interface Message {
  readonly says: "standing" | "beat" | "bye";
  readonly from: string;
  readonly told?: StreamProgress | undefined;
}

interface LeadershipOptions {
  readonly clock: Clock;
  readonly windows: WindowMessaging;
  /** An id that no other window has. */
  readonly id: string;
}

/** The interval of a leader's beats. */
const BEAT_MS = 2000;
/** A leader without a beat for this long is replaced, because its window hangs or was killed. */
const SILENT_MS = 7000;
/** Without locks, a window leads if no other window answers within this time. */
const STANDING_MS = 300;

/** The role of this window in sharing one event stream (see `leader-state.ts`). */
export class Leadership {
  readonly #options: LeadershipOptions;
  #hasLocks: boolean;
  #state: LeaderState = AWAY;
  #left = new AbortController();
  #entered = new AbortController();
  #silence: SilenceWatch | undefined;
  #channel: Channel | undefined;
  #lock: AbortController | undefined;
  #told: StreamProgress | undefined;
  #news = Promise.withResolvers<void>();

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.#hasLocks = options.windows.locks !== undefined;
  }

  get role(): LeaderState["name"] {
    return this.#state.name;
  }

  /** Aborted when this window gets another role. */
  get whileInRole(): AbortSignal {
    return this.#entered.signal;
  }

  /** The leader's last report, if another window leads. */
  get told(): StreamProgress | undefined {
    return this.role === "following" ? this.#told : undefined;
  }

  /** Resolves at the next change of `role` or the next report of the leader. */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  join(): void {
    if (this.role !== "away") return;
    this.#left = new AbortController();
    this.#channel = this.#options.windows.open((message) => this.#handleMessage(message));
    this.#silence = new SilenceWatch({
      clock: this.#options.clock,
      signal: this.#left.signal,
      ms: SILENT_MS,
      onSilent: () => this.#handle({ is: "elapsed" }),
    });
    this.#handle({ is: "joined" });
  }

  /** Stops taking part, for example because the window is hidden. Another window then leads. */
  leave(): void {
    this.#handle({ is: "left" });
    this.#left.abort();
    this.#channel?.close();
    this.#channel = undefined;
  }

  /** Sends a report about this window's stream to the other windows, if this window leads. */
  tell(told: StreamProgress): void {
    if (this.role !== "leading") return;
    this.#told = told;
    this.#sendMessage("beat");
  }

  #handleMessage(data: unknown): void {
    if (!isMessage(data)) return;
    const { says, from, told } = data;
    this.#handle({ is: "heard", says, from });
    if (says !== "beat" || this.#state.name !== "following" || this.#state.leader !== from) return;
    this.#silence?.received();
    this.#told = told;
    this.#tellNews();
  }

  #handle(event: LeaderEvent): void {
    const before = this.#state;
    const { id } = this.#options;
    const { state, acts } = nextLeader(before, event, { id, hasLocks: this.#hasLocks });
    this.#state = state;
    if (state.name !== before.name) this.#enter();
    for (const act of acts) this.#perform(act);
  }

  #enter(): void {
    this.#entered.abort();
    this.#entered = new AbortController();
    this.#told = undefined;
    this.#silence?.stop();
    if (this.role === "following") this.#silence?.received();
    if (this.role === "standing") void this.#reportElapsed();
    if (this.role === "leading") void this.#sendHeartbeats();
    this.#tellNews();
  }

  #tellNews(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  async #reportElapsed(): Promise<void> {
    const { signal } = this.#entered;
    while (!signal.aborted) {
      await this.#options.clock.sleep(this.#hasLocks ? SILENT_MS : STANDING_MS, signal);
      if (!signal.aborted) this.#handle({ is: "elapsed" });
    }
  }

  async #sendHeartbeats(): Promise<void> {
    const { signal } = this.#entered;
    while (!signal.aborted) {
      await this.#options.clock.sleep(BEAT_MS, signal);
      if (!signal.aborted) this.#sendMessage("beat");
    }
  }

  #perform(act: LeaderAct): void {
    switch (act) {
      case "say-standing":
        return this.#sendMessage("standing");
      case "say-beat":
        return this.#sendMessage("beat");
      case "say-bye":
        return this.#sendMessage("bye");
      case "ask-lock":
        return this.#ask(false);
      case "steal-lock":
        return this.#ask(true);
      case "free-lock":
        return this.#lock?.abort();
    }
  }

  #sendMessage(says: Message["says"]): void {
    const message: Message = { says, from: this.#options.id, told: this.#told };
    this.#channel?.post(message);
  }

  /** Requests the lock, and holds it until it is freed. With `steal`, takes the lock from its holder. */
  #ask(steal: boolean): void {
    const { locks } = this.#options.windows;
    if (locks === undefined) return;
    this.#lock?.abort();
    const lock = (this.#lock = new AbortController());
    let wasGranted = false;
    const holdLock = async (): Promise<void> => {
      wasGranted = true;
      if (lock.signal.aborted) return;
      this.#handle({ is: "granted" });
      await aborted(lock.signal);
    };
    const how = steal ? { steal } : { signal: lock.signal };
    locks.request(SHARED_NAME, how, holdLock).catch(() => {
      if (lock.signal.aborted) return;
      if (wasGranted) this.#handle({ is: "robbed" });
      // The browser refuses locks for this page, so the windows agree over the channel.
      else this.#hasLocks = false;
    });
  }
}

function isMessage(data: unknown): data is Message {
  return typeof data === "object" && data !== null && "says" in data && "from" in data;
}
