import { type Clock, systemClock } from "../base/clock.ts";
import { streamEvents } from "../contract/activity.ts";
import { LOG_HEADER, type LogMark } from "../contract/log-mark.ts";
import type { CallInput } from "../contract/route.ts";
import {
  acceptedWith,
  type Connected,
  cursorHeaders,
  followStream,
  inputOf,
} from "../shared/follow.ts";
import type { Delays, FollowInput, FollowItem, LogCursor } from "../shared/follow-state.ts";
import { FrameReader } from "../shared/sse.ts";
import { refusalOf, requestOf } from "./call.ts";
import type { Client } from "./client.ts";
import type { HttpStream } from "./http/client.ts";

/** The filters of the event stream. An event must match one value of each filter that is given. */
export type EventQuery = Omit<NonNullable<CallInput<typeof streamEvents>["query"]>, "after_id">;

export interface FollowOptions {
  /** Only events after this id. */
  readonly after: number;
  /** Identifies the log up to the event `after`. It comes from an earlier answer. */
  readonly log?: LogMark | undefined;
  readonly filter?: EventQuery;
  readonly signal: AbortSignal;
  /** Called before each wait for a new connection. */
  readonly onRetry?: (delayMs: number, reason: unknown) => void;
  readonly onOpen?: () => void;
  /** Called for everything that arrives on an open stream, heartbeats included. */
  readonly onReceived?: () => void;
  /** Called when a connection has ended, for whatever reason. */
  readonly onEnd?: () => void;
  /**
   * True if the daemon has answered before. The client then waits for the daemon, and starts it only if `revives`
   * allows that.
   */
  readonly hasAnswered?: boolean;
  /**
   * Returns true if the client may start the daemon again after the connection broke in the middle of the stream, as it
   * does when the daemon is killed.
   */
  readonly revives?: () => boolean;
  readonly delays?: Partial<Delays>;
  /** Tells where the next connection continues, if the caller also reads the log by other means. */
  readonly place?: () => LogCursor;
  /** Called to wait before the next attempt. Default: the clock's `sleep`. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly clock?: Clock;
}

const HEAD_TIMEOUT_MS = 10_000; // docs/contract/command-line.md#17-requests

/** Yields events for ever, even after restarts of the daemon (`shared/follow.ts`). */
export async function* followEvents(
  client: Client,
  options: FollowOptions,
): AsyncGenerator<FollowItem, void, void> {
  const { clock = systemClock } = options;
  const pause = options.pause ?? (async (ms, until) => await clock.sleep(ms, until));
  yield* followStream(
    (state, isBroken, signal) => inputsOf(client, options, state, isBroken, signal),
    { ...options, clock, pause },
  );
}

/** Opens one connection and yields what it receives, from the daemon's answer to the end of the stream. */
async function* inputsOf(
  client: Client,
  options: FollowOptions,
  state: Connected,
  isBroken: boolean,
  signal: AbortSignal,
): AsyncGenerator<FollowInput, void, void> {
  try {
    const answer = await open(client, options, state, isBroken, signal);
    if (answer.status !== 200) return yield await refusal(answer);
    yield acceptedWith(answer.headers[LOG_HEADER.toLowerCase()]);
    const reader = new FrameReader();
    for await (const piece of answer.pieces) {
      const frames = reader.push(piece);
      if (frames.length === 0) yield { type: "heartbeat" };
      yield* frames.map(inputOf);
    }
    yield { type: "closed" };
  } catch (error) {
    yield options.signal.aborted ? { type: "stopped" } : { type: "fault", error };
  }
}

async function open(
  client: Client,
  { filter = {}, revives }: FollowOptions,
  state: Connected,
  isBroken: boolean,
  signal: AbortSignal,
): Promise<HttpStream> {
  const { headers, ...request } = requestOf(streamEvents, {
    query: filter,
    headers: cursorHeaders(state),
  });
  // The first connection may start a daemon. A later connection may start a daemon only if the connection before broke,
  // not if the daemon was stopped.
  const isFirst = state.name === "connecting" && !state.hasAnswered;
  const start = isFirst || (isBroken && revives?.() === true);
  const whole = {
    ...request,
    headers: { ...headers, Accept: "text/event-stream" },
    // The client must not repeat the request, because `followEvents` connects again, after a wait that doubles each
    // time.
    repeatable: false,
    start,
  };
  return await client.stream(whole, HEAD_TIMEOUT_MS, signal);
}

async function refusal({ status, pieces }: HttpStream): Promise<FollowInput> {
  const body: Buffer[] = [];
  for await (const piece of pieces) body.push(piece);
  return { type: "refused", status, error: refusalOf(status, Buffer.concat(body)) };
}
