import type { Clock } from "../src/base/clock.ts";
import { LOG_HEADER } from "../src/contract/log-mark.ts";
import { BASE_PATH } from "../src/contract/version.ts";
import type { EventStream } from "../src/screen/effects/live.ts";
import { ForeignError } from "../src/shared/answer-errors.ts";
import {
  acceptedWith,
  type Connected,
  cursorHeaders,
  followStream,
  inputOf,
} from "../src/shared/follow.ts";
import type { FollowInput } from "../src/shared/follow-state.ts";
import { refusalIn } from "../src/shared/refusal.ts";
import { FrameReader } from "../src/shared/sse.ts";
import { type Sessions, sessionHeaders } from "./session.ts";
import { answered } from "./transport.ts";

/**
 * Tells whether the page is seen. A hidden page closes its stream, because a browser opens at most six connections to
 * one origin, and all tabs share them.
 */
export interface Visibility {
  isHidden(): boolean;
  shown(signal: AbortSignal): Promise<void>;
  /** Calls `call` whenever the page is hidden, until the returned function is called. */
  onHidden(call: () => void): () => void;
}

/**
 * Follows the events with `fetch`, because an EventSource cannot send the headers of a session. A stream that was
 * closed while the page was hidden continues after its last event.
 */
export function streamOf(
  sessions: Sessions,
  send: typeof fetch,
  visibility: Visibility,
): EventStream {
  return (options) => {
    const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
      if (visibility.isHidden()) await visibility.shown(signal);
      else await options.pause(ms, signal);
    };
    // A stream that ended because the page is hidden is no lost connection, so nothing is reported.
    const onRetry = (ms: number, reason: unknown): void => {
      if (!visibility.isHidden()) options.onRetry?.(ms, reason);
    };
    return followStream(
      (state, _isBroken, signal) =>
        inputsOf(
          { sessions, send, visibility, clock: options.clock, stopped: options.signal, signal },
          state,
        ),
      { ...options, pause, onRetry },
    );
  };
}

interface Followed {
  readonly sessions: Sessions;
  readonly send: typeof fetch;
  readonly visibility: Visibility;
  readonly clock: Clock;
  /** Aborted when the page is left. */
  readonly stopped: AbortSignal;
  /** Aborted when this connection must end. */
  readonly signal: AbortSignal;
}

/** How long the daemon may take to answer the request for the stream. */
const HEAD_MS = 10_000;

const NO_STREAM: FollowInput = {
  type: "refused",
  status: 405,
  error: new ForeignError({
    ...{ status: 405, code: "no_stream", message: "this daemon gives pages no event stream" },
    ...{ hint: undefined, data: {} },
  }),
};

async function* inputsOf(
  { sessions, send, visibility, clock, stopped, signal: outer }: Followed,
  state: Connected,
): AsyncGenerator<FollowInput, void, void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([outer, ended.signal]);
  const forget = visibility.onHidden(() => ended.abort());
  try {
    // A tab that was opened in the background is hidden from its start.
    if (visibility.isHidden()) await visibility.shown(stopped);
    // A read-only daemon gives browser pages no event stream, so the page polls the event log instead.
    if ((await sessions.session()).updates === "poll") return yield NO_STREAM;
    const answer = await answered(sessions, async (session) => {
      const headers = {
        ...sessionHeaders(session),
        accept: "text/event-stream",
        ...cursorHeaders(state),
      };
      const head = new AbortController();
      void clock.sleep(HEAD_MS, head.signal).then(() => {
        if (!head.signal.aborted) ended.abort();
      });
      try {
        return await send(`${BASE_PATH}/events/stream`, { headers, signal });
      } finally {
        head.abort();
      }
    });
    if (answer.status !== 200 || answer.body === null) {
      const error = refusalIn(answer.status, await answer.text());
      return yield { type: "refused", status: answer.status, error };
    }
    yield acceptedWith(answer.headers.get(LOG_HEADER));
    const frames = new FrameReader();
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return yield { type: "closed" };
      const found = frames.push(value);
      if (found.length === 0) yield { type: "heartbeat" };
      yield* found.map(inputOf);
    }
  } catch (error) {
    yield stopped.aborted ? { type: "stopped" } : { type: "fault", error };
  } finally {
    forget();
  }
}
