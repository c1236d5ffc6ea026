import type { pollEvents } from "../contract/activity.ts";
import type { Output } from "../contract/route.ts";

/**
 * A state machine that follows the event stream (facts http-api 5.4). The caller connects and waits.
 *
 *   connecting ── accepted ──────> open
 *   connecting ── fault, 5xx ────> waiting; ended if the daemon has never answered
 *   connecting ── 4xx ───────────> ended
 *   open ──────── frame ─────────> open: moves the cursor and gives an item
 *   open ──────── cursor ────────> open: moves the cursor only
 *   open ──────── reset frame ───> connecting, after the id of the frame
 *   open ──────── closed, fault ─> waiting
 *   waiting ───── elapsed ───────> connecting
 *   any state ─── stopped ───────> ended
 */
export type FollowState =
  | {
      readonly name: "connecting";
      readonly cursor: number;
      readonly attempt: number;
      readonly hasAnswered: boolean;
    }
  | { readonly name: "open"; readonly cursor: number }
  | {
      readonly name: "waiting";
      readonly cursor: number;
      readonly attempt: number;
      readonly delayMs: number;
    }
  | { readonly name: "ended"; readonly error: unknown };

export type FollowInput =
  | { readonly type: "accepted" }
  | { readonly type: "refused"; readonly status: number; readonly error: unknown }
  | { readonly type: "fault"; readonly error: unknown }
  | { readonly type: "frame"; readonly id: number; readonly event: string; readonly data: string }
  /** From a frame without an event: the daemon has searched the log up to this id. */
  | { readonly type: "cursor"; readonly id: number }
  | { readonly type: "heartbeat" }
  | { readonly type: "closed" }
  | { readonly type: "elapsed" }
  | { readonly type: "stopped" };

export type FollowItem =
  /** `data` is the JSON text of a `StreamedEvent`. */
  | { readonly kind: "event"; readonly id: number; readonly event: string; readonly data: string }
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

export const DELAYS: Delays = { firstMs: 1000, maxMs: 30_000 }; // facts cli-and-config 2.3, events
const RESET = "sync.reset_required";

/**
 * The state in which following begins. With `hasAnswered`, the daemon has answered before, so a failed first attempt is
 * retried.
 */
export function following(cursor: number, hasAnswered = false): FollowState {
  return { name: "connecting", cursor, attempt: 0, hasAnswered };
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
      const { cursor, attempt } = state;
      if (input.type !== "elapsed") return { state };
      return { state: { name: "connecting", cursor, attempt, hasAnswered: true } };
    }
  }
}

type Connecting = Extract<FollowState, { readonly name: "connecting" }>;
type Open = Extract<FollowState, { readonly name: "open" }>;

function whileConnecting(state: Connecting, input: FollowInput, delays: Delays): FollowState {
  const { cursor, attempt, hasAnswered } = state;
  if (input.type === "accepted") return { name: "open", cursor };
  if (input.type === "refused") {
    // A request that was refused with 4xx is not repeated, because it would be refused again.
    return input.status < 500 || !hasAnswered
      ? { name: "ended", error: input.error }
      : waiting(cursor, attempt, delays);
  }
  if (input.type !== "fault") return state;
  return hasAnswered ? waiting(cursor, attempt, delays) : { name: "ended", error: input.error };
}

function whileOpen(state: Open, input: FollowInput, delays: Delays): FollowStep {
  if (input.type === "closed" || input.type === "fault")
    return { state: waiting(state.cursor, 0, delays) };
  if (input.type === "cursor") return { state: { name: "open", cursor: input.id } };
  if (input.type !== "frame") return { state };
  const { id, event, data } = input;
  if (event === RESET) {
    const again = { name: "connecting", cursor: id, attempt: 0, hasAnswered: true } as const;
    return { state: again, item: { kind: "reset", after: id } };
  }
  return { state: { name: "open", cursor: id }, item: { kind: "event", id, event, data } };
}

function waiting(cursor: number, attempt: number, delays: Delays): FollowState {
  const delayMs = Math.min(delays.firstMs * 2 ** attempt, delays.maxMs);
  return { name: "waiting", cursor, attempt: attempt + 1, delayMs };
}
