import type { EventStream } from "../src/screen/effects/live.ts";
import { ForeignError } from "../src/shared/answer-errors.ts";
import { type FollowOptions, followStream } from "../src/shared/follow.ts";
import type { FollowInput, LogCursor } from "../src/shared/follow-state.ts";
import type { Transport } from "../src/shared/transport.ts";
import { randomId } from "./random-id.ts";
import type { Sessions } from "./session.ts";
import { aborted } from "./shared-stream/aborted.ts";
import { followedInputs } from "./shared-stream/followed.ts";
import { Leadership } from "./shared-stream/leadership.ts";
import { ownInputs } from "./shared-stream/own-stream.ts";
import type { WindowMessaging } from "./shared-stream/windows.ts";

/**
 * Tells whether the person can see the page. A hidden page takes no part in the shared event stream: browsers slow its
 * timers down or stop it, so it could not tell other windows what the stream delivers.
 */
export interface Visibility {
  isHidden(): boolean;
  shown(signal: AbortSignal): Promise<void>;
  /** Calls `call` whenever the page is hidden, until the returned function is called. */
  onHidden(call: () => void): () => void;
}

interface StreamOptions {
  readonly sessions: Sessions;
  readonly send: typeof fetch;
  readonly daemon: Transport<"pollEvents">;
  readonly visibility: Visibility;
  readonly windows: WindowMessaging;
}

/**
 * Follows the events. All windows of the origin share one event stream, because a browser opens at most six connections
 * to one origin. A page that was hidden goes on after its last event.
 */
export function streamOf(options: StreamOptions): EventStream {
  return (given) => new Following(options, given).items();
}

const NO_STREAM: FollowInput = {
  type: "refused",
  status: 405,
  error: new ForeignError({
    ...{ status: 405, code: "no_stream", message: "this daemon gives pages no event stream" },
    ...{ hint: undefined, data: {} },
  }),
};

class Following {
  readonly #with: StreamOptions;
  readonly #options: FollowOptions;
  readonly #leadership: Leadership;
  /**
   * Whether the last connection ended because this window was hidden or got another role. Such a connection does not
   * count as lost.
   */
  #hasMoved = false;

  constructor(given: StreamOptions, options: FollowOptions) {
    this.#with = given;
    this.#options = options;
    const { clock } = options;
    this.#leadership = new Leadership({ clock, windows: given.windows, id: randomId() });
  }

  async *items(): ReturnType<typeof followStream> {
    const { sessions, visibility } = this.#with;
    const options = this.#options;
    const leave = (): void => this.#leadership.leave();
    const forget = [
      visibility.onHidden(leave),
      // A window without a session cannot open a stream for the others.
      sessions.subscribe(() => {
        if (!SIGNED_IN.has(sessions.get().is)) leave();
      }),
    ];
    options.signal.addEventListener("abort", leave, { once: true });
    try {
      yield* followStream((state, _isBroken, signal) => this.#connect(state, signal), {
        ...options,
        pause: async (ms, signal) => {
          if (!this.#hasMoved) await options.pause(ms, signal);
        },
        onRetry: (ms, reason) => {
          if (!this.#hasMoved) options.onRetry?.(ms, reason);
        },
      });
    } finally {
      for (const call of forget) call();
      leave();
    }
  }

  async *#connect(state: LogCursor, outer: AbortSignal): AsyncGenerator<FollowInput, void, void> {
    const { sessions, visibility } = this.#with;
    const { signal: stopped } = this.#options;
    const leadership = this.#leadership;
    this.#hasMoved = false;
    let moved: AbortSignal | undefined;
    try {
      // A tab that was opened in the background is hidden from its start.
      if (visibility.isHidden()) await visibility.shown(stopped);
      // A read-only daemon gives browser pages no event stream, so the page polls the event log instead.
      if ((await sessions.session()).updates === "poll") return yield NO_STREAM;
      if (stopped.aborted) return yield { type: "stopped" };
      leadership.join();
      moved = await this.#roleFound(outer);
      if (leadership.role !== "away") yield* this.#inputs(state, AbortSignal.any([outer, moved]));
      if (!moved.aborted && leadership.role !== "away") return;
    } catch (error) {
      if (moved?.aborted !== true) {
        yield stopped.aborted ? { type: "stopped" } : { type: "fault", error };
        return;
      }
    }
    this.#hasMoved = true;
    yield stopped.aborted ? { type: "stopped" } : { type: "closed" };
  }

  /** Waits until this window leads or follows. Returns a signal that is aborted when the window loses this role. */
  async #roleFound(signal: AbortSignal): Promise<AbortSignal> {
    const leadership = this.#leadership;
    while (leadership.role === "standing" && !signal.aborted)
      await Promise.race([leadership.news, aborted(signal)]);
    return leadership.whileInRole;
  }

  #inputs(state: LogCursor, signal: AbortSignal): AsyncGenerator<FollowInput, void, void> {
    const { clock } = this.#options;
    const parts = { ...this.#with, clock, leadership: this.#leadership, signal };
    return this.#leadership.role === "leading"
      ? ownInputs(parts, state)
      : followedInputs(parts, state);
  }
}

/** In these states the page has a session, or gets one without being asked for anything. */
const SIGNED_IN: ReadonlySet<string> = new Set(["in", "waiting", "away"]);
