import { type Clock, systemClock } from "../base/clock.ts";
import { streamEvents } from "../contract/activity.ts";
import type { CallInput } from "../contract/route.ts";
import { type Connected, followStream, inputOf } from "../shared/follow.ts";
import type { Delays, FollowInput, FollowItem } from "../shared/follow-state.ts";
import { FrameReader } from "../shared/sse.ts";
import { refusalOf, requestOf } from "./call.ts";
import type { Client } from "./client.ts";
import type { HttpStream } from "./http/client.ts";

/** Filters of the event stream; an event must match each given filter by one of its values. */
export type EventQuery = Omit<NonNullable<CallInput<typeof streamEvents>["query"]>, "after_id">;

export interface FollowOptions {
  /** Only events after this id. */
  readonly after: number;
  /** By default all events. */
  readonly filter?: EventQuery;
  readonly signal: AbortSignal;
  /** Called before each wait for a new connection. */
  readonly onRetry?: (delayMs: number, reason: unknown) => void;
  readonly onOpen?: () => void;
  /** Called for everything that arrives, heartbeats included. */
  readonly onHeard?: () => void;
  /**
   * True if the daemon has answered before: the client then waits for it and starts it only if `revives` allows that.
   */
  readonly known?: boolean;
  /**
   * Returns whether to start the daemon again after the connection broke before the stream ended, as when the daemon
   * was killed.
   */
  readonly revives?: () => boolean;
  readonly delays?: Partial<Delays>;
  /** Waits before the next attempt; by default it sleeps. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly clock?: Clock;
}

const HEAD_TIMEOUT_MS = 10_000; // facts cli-and-config 1.7

/** Follows events for ever, across restarts of the daemon (`shared/follow.ts`). */
export async function* followEvents(
  client: Client,
  options: FollowOptions,
): AsyncGenerator<FollowItem, void, void> {
  const { clock = systemClock } = options;
  const pause = options.pause ?? (async (ms, until) => await clock.sleep(ms, until));
  yield* followStream((state, isBroken) => inputsOf(client, options, state, isBroken), {
    ...options,
    pause,
  });
}

/** The inputs of one connection, from its answer to its end. */
async function* inputsOf(
  client: Client,
  options: FollowOptions,
  state: Connected,
  isBroken: boolean,
): AsyncGenerator<FollowInput, void, void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  try {
    const answer = await open(client, options, state, isBroken, signal);
    if (answer.status !== 200) return yield await refusal(answer);
    yield { type: "accepted" };
    const reader = new FrameReader();
    for await (const piece of answer.pieces) {
      options.onHeard?.();
      const frames = reader.push(piece);
      if (frames.length === 0) yield { type: "heartbeat" };
      yield* frames.map(inputOf);
    }
    yield { type: "closed" };
  } catch (error) {
    yield options.signal.aborted ? { type: "stopped" } : { type: "fault", error };
  } finally {
    ended.abort();
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
    headers: { "last-event-id": String(state.cursor) },
  });
  // Only the first connection may start a daemon. Later a daemon is started again only if it broke, not if it was
  // stopped.
  const isFirst = state.name === "connecting" && !state.known;
  const start = isFirst || (isBroken && revives?.() === true);
  const whole = {
    ...request,
    headers: { ...headers, Accept: "text/event-stream" },
    // The follower itself connects again, after a wait that doubles.
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
