import type { pollEvents } from "../contract/activity.ts";
import type { LogMark } from "../contract/log-mark.ts";
import type { Output } from "../contract/route.ts";

/**
 * A state machine that follows the event stream (docs/contract/http-api.md#54-the-stream). The caller connects and
 * waits.
 *
 *   connecting ── accepted ──────> open
 *   connecting ── fault, 5xx ────> waiting; ended if the daemon has never answered
 *   connecting ── 4xx ───────────> ended
 *   open ──────── frame ─────────> open: moves the cursor and gives an item
 *   open ──────── cursor ────────> open: moves the cursor only
 *   open ──────── reset frame ───> connecting, after the id of the frame
 *   open ──────── closed, fault ─> waiting
 *   waiting ───── elapsed ───────> connecting, after the event up to which the caller has read meanwhile
 *   any state ─── stopped ───────> ended
 */
export type FollowState =
  | ({
      readonly name: "connecting";
      readonly attempt: number;
      readonly hasAnswered: boolean;
    } & LogCursor)
  /** `named` is the epoch in the head of the answer. It is set until the first event of the connection. */
  | ({ readonly name: "open"; readonly named?: string | undefined } & LogCursor)
  | ({
      readonly name: "waiting";
      readonly attempt: number;
      readonly delayMs: number;
    } & LogCursor)
  | { readonly name: "ended"; readonly error: unknown };

/** A place in a log. `log` identifies the log up to the cursor. It is absent if the epoch of the log is not known. */
export interface LogCursor {
  readonly cursor: number;
  readonly log?: LogMark | undefined;
}

export type FollowInput =
  /** `epoch` is the epoch in the head of the daemon's answer. An old daemon sends none. */
  | { readonly type: "accepted"; readonly epoch?: string | undefined }
  | { readonly type: "refused"; readonly status: number; readonly error: unknown }
  | { readonly type: "fault"; readonly error: unknown }
  | {
      readonly type: "frame";
      readonly id: number;
      readonly event: string;
      readonly data: string;
      /** The hash of the log up to and including this event (`StoredEvent.chain`). */
      readonly chain?: string | undefined;
    }
  /** From a frame without an event: the daemon has searched the log up to this id. */
  | { readonly type: "cursor"; readonly id: number }
  | { readonly type: "heartbeat" }
  | { readonly type: "closed" }
  /** `at` is the place up to which the caller has read the log by other means, if it has. */
  | { readonly type: "elapsed"; readonly at?: LogCursor | undefined }
  | { readonly type: "stopped" };

export type FollowItem =
  /** `data` is the JSON text of a `StreamedEvent`. */
  | {
      readonly kind: "event";
      readonly id: number;
      readonly event: string;
      readonly data: string;
      /** The mark of the log at this event: the epoch, and the chain of the event. */
      readonly log?: LogMark | undefined;
    }
  /** The caller must read everything again. The stream continues after the event `after`. */
  | { readonly kind: "reset"; readonly after: number };

export type StreamedEvent = Output<typeof pollEvents>["events"][number];

export interface FollowStep {
  readonly state: FollowState;
  readonly item?: FollowItem;
}

/** Delays between attempts: each is twice the previous one, up to `maxMs`. */
export interface Delays {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Set by docs/contract/command-line.md#23-inbox-waiting-activity. */
export const DELAYS: Delays = { firstMs: 1000, maxMs: 30_000 };
const RESET = "sync.reset_required";

/** The initial state. With `hasAnswered`, the daemon has answered before, so a failed first attempt is retried. */
export function following(cursor: number, hasAnswered = false, log?: LogMark): FollowState {
  return { name: "connecting", ...placeOf({ cursor, log }), attempt: 0, hasAnswered };
}

function placeOf({ cursor, log }: LogCursor): LogCursor {
  return log === undefined ? { cursor } : { cursor, log };
}

export function next(state: FollowState, input: FollowInput, delays: Delays = DELAYS): FollowStep {
  if (state.name === "ended") return { state };
  if (input.type === "stopped") return { state: { name: "ended", error: undefined } };
  switch (state.name) {
    case "connecting":
      return { state: whileConnecting(state, input, delays) };
    case "open":
      return whileOpen(state, input, delays);
    case "waiting": {
      const { attempt } = state;
      if (input.type !== "elapsed") return { state };
      const place = placeOf(input.at ?? state);
      return { state: { name: "connecting", ...place, attempt, hasAnswered: true } };
    }
  }
}

type Connecting = Extract<FollowState, { readonly name: "connecting" }>;
type Open = Extract<FollowState, { readonly name: "open" }>;

function whileConnecting(state: Connecting, input: FollowInput, delays: Delays): FollowState {
  const { cursor, log, attempt, hasAnswered } = state;
  if (input.type === "accepted") {
    // Keep the mark that was sent with the request. If the daemon has another log, it answers with a reset.
    const { epoch: named } = input;
    if (named === undefined) return { name: "open", ...placeOf({ cursor, log }) };
    return { name: "open", named, ...placeOf({ cursor, log: log ?? { epoch: named } }) };
  }
  if (input.type === "refused") {
    // A request that was refused with 4xx is not repeated, because it would be refused again.
    return input.status < 500 || !hasAnswered
      ? { name: "ended", error: input.error }
      : waitingState(state, attempt, delays);
  }
  if (input.type !== "fault") return state;
  return hasAnswered ? waitingState(state, attempt, delays) : { name: "ended", error: input.error };
}

function whileOpen(state: Open, input: FollowInput, delays: Delays): FollowStep {
  if (input.type === "closed" || input.type === "fault")
    return { state: waitingState(state, 0, delays) };
  const epoch = state.log?.epoch;
  // The daemon sends no chain with a cursor that has no event. After such a cursor only the epoch identifies the log.
  const placeAt = (cursor: number, chain?: string): LogCursor =>
    placeOf({ cursor, log: epoch === undefined ? undefined : { epoch, chain } });
  if (input.type === "cursor") return { state: { name: "open", ...placeAt(input.id) } };
  if (input.type !== "frame") return { state };
  const { id, event, data, chain } = input;
  if (event === RESET) {
    // If the reset is the first event of the connection, it is about the log whose epoch the answer gave. A later reset
    // may mean that the daemon now has another log, so the next request has no mark, and its answer gives the epoch.
    const log = state.named === undefined ? undefined : { epoch: state.named };
    const again = { name: "connecting", ...placeOf({ cursor: id, log }) } as const;
    return {
      state: { ...again, attempt: 0, hasAnswered: true },
      item: { kind: "reset", after: id },
    };
  }
  const place = placeAt(id, chain);
  const log = place.log === undefined ? {} : { log: place.log };
  return { state: { name: "open", ...place }, item: { kind: "event", id, event, data, ...log } };
}

function waitingState(place: LogCursor, attempt: number, delays: Delays): FollowState {
  const delayMs = Math.min(delays.firstMs * 2 ** attempt, delays.maxMs);
  return { name: "waiting", ...placeOf(place), attempt: attempt + 1, delayMs };
}
