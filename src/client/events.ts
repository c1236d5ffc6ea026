import { type Clock, systemClock } from "../base/clock.ts";
import { streamEvents } from "../contract/activity.ts";
import type { CallInput } from "../contract/route.ts";
import {
  DELAYS,
  type Delays,
  type FollowInput,
  type FollowItem,
  type FollowState,
  following,
  next,
} from "../shared/follow-state.ts";
import { type Frame, FrameReader } from "../shared/sse.ts";
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

/**
 * Follows events for ever, across restarts of the daemon: each new connection continues after the last event. Ends when
 * `signal` is aborted; throws the daemon's refusals, and the failure of the first connection.
 */
export async function* followEvents(
  client: Client,
  options: FollowOptions,
): AsyncGenerator<FollowItem, void, void> {
  const { clock = systemClock, signal } = options;
  const pause = options.pause ?? (async (ms, until) => await clock.sleep(ms, until));
  const delays = { ...DELAYS, ...options.delays };
  let state: FollowState = following(options.after, options.known);
  let reason: unknown;
  let isBroken = false;
  for (;;) {
    if (signal.aborted) return;
    switch (state.name) {
      case "ended":
        if (state.error !== undefined) throw state.error;
        return;
      case "waiting":
        options.onRetry?.(state.delayMs, reason);
        await pause(state.delayMs, signal);
        state = next(state, { type: "elapsed" }).state;
        break;
      case "connecting":
      case "open":
        for await (const input of inputsOf(client, options, state, isBroken)) {
          // A daemon that is stopped on purpose ends its streams in order, so a fault on an open stream means that it
          // broke.
          if (state.name === "open") isBroken = input.type === "fault";
          if ("error" in input) reason = input.error;
          if (input.type === "accepted") options.onOpen?.();
          const step = next(state, input, delays);
          state = step.state;
          if (step.item !== undefined) yield step.item;
          if (state.name !== "open") break;
        }
    }
  }
}

type Live = Extract<FollowState, { readonly cursor: number }>;

/** The inputs of one connection, from its answer to its end. */
async function* inputsOf(
  client: Client,
  options: FollowOptions,
  state: Live,
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
      yield* frames.map(toInput);
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
  state: Live,
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

function toInput({ id, event, data }: Frame): FollowInput {
  if (id === undefined || !/^\d{1,15}$/.test(id)) {
    return { type: "fault", error: new Error("the event stream sent an event without an id") };
  }
  if (event === "") return { type: "place", id: Number(id) };
  return { type: "frame", id: Number(id), event, data };
}
