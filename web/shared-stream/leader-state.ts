/**
 * Decides which window of an origin opens the event stream (the leader). The windows send each other messages over a
 * channel. If the browser has locks, the window that holds the lock leads. Otherwise the windows agree over the
 * channel, and of two leaders the one with the smaller id stays. A window that "stands" wants to become the leader. A
 * leader sends a beat at regular intervals.
 *
 *   away ─────── joined ───────────────> standing: asks who leads, asks for the lock
 *   standing ─── granted ──────────────> leading
 *   standing ─── elapsed ──────────────> leading; with locks, stays and takes the lock away from a hung leader
 *   standing ─── beat of another ──────> following
 *   standing ─── a smaller id stands ──> following (without locks)
 *   following ── elapsed, bye ─────────> standing; a silent leader loses the lock
 *   following ── granted ──────────────> leading
 *   leading ──── robbed ───────────────> standing
 *   leading ──── beat of a smaller id ─> following (without locks)
 *   any state ── left ─────────────────> away
 *
 * A window in the state `following` has the id of the leader, and only the beats of this leader count.
 */
export type LeaderState =
  | { readonly name: "away" }
  | { readonly name: "standing" }
  | { readonly name: "following"; readonly leader: string }
  | { readonly name: "leading" };

/**
 * - `joined`, `left`: the window has become visible and signed in, or is so no longer.
 * - `elapsed`: no beat has come for as long as the state allows.
 * - `granted`, `robbed`: this window got the lock, or another window took it away.
 * - `heard`: another window says that it stands, that it leads, or that it no longer leads.
 */
export type LeaderEvent =
  | { readonly is: "joined" | "left" | "elapsed" | "granted" | "robbed" }
  | {
      readonly is: "heard";
      readonly says: "standing" | "beat" | "bye";
      readonly from: string;
    };

export type LeaderAct =
  | "say-standing"
  | "say-beat"
  | "say-bye"
  | "ask-lock"
  | "steal-lock"
  | "free-lock";

/** This window: its id, and whether the browser has locks. */
interface OwnWindow {
  readonly id: string;
  readonly hasLocks: boolean;
}

interface LeaderStep {
  readonly state: LeaderState;
  readonly acts: readonly LeaderAct[];
}

export const AWAY: LeaderState = { name: "away" };
const STANDING: LeaderState = { name: "standing" };
const LEADING: LeaderState = { name: "leading" };

export function nextLeader(state: LeaderState, event: LeaderEvent, self: OwnWindow): LeaderStep {
  switch (state.name) {
    case "away":
      return whileAway(state, event);
    case "standing":
      return whileStanding(state, event, self);
    case "following":
      return whileFollowing(state, event, self);
    case "leading":
      return whileLeading(state, event, self);
  }
}

function to(state: LeaderState, ...acts: readonly LeaderAct[]): LeaderStep {
  return { state, acts };
}

function whileAway(state: LeaderState, { is }: LeaderEvent): LeaderStep {
  if (is === "joined") return to(STANDING, "say-standing", "ask-lock");
  // The lock was granted after the window had left.
  return is === "granted" ? to(state, "free-lock") : to(state);
}

function whileStanding(state: LeaderState, event: LeaderEvent, self: OwnWindow): LeaderStep {
  switch (event.is) {
    case "left":
      return to(AWAY, "free-lock");
    case "granted":
      return to(LEADING, "say-beat");
    case "elapsed":
      return self.hasLocks ? to(state, "steal-lock") : to(LEADING, "say-beat");
    case "heard":
      if (event.says === "beat") return to(following(event.from));
      if (event.says === "bye" || self.hasLocks) return to(state);
      // The other window may have started too late to hear that this one stands.
      return event.from < self.id ? to(following(event.from)) : to(state, "say-standing");
    case "joined":
    case "robbed":
      return to(state);
  }
}

function whileFollowing(
  state: Extract<LeaderState, { readonly name: "following" }>,
  event: LeaderEvent,
  { hasLocks }: OwnWindow,
): LeaderStep {
  switch (event.is) {
    case "left":
      return to(AWAY, "free-lock");
    case "granted":
      return to(LEADING, "say-beat");
    case "elapsed":
      return to(STANDING, hasLocks ? "steal-lock" : "say-standing");
    case "heard":
      if (event.says === "beat")
        return to(event.from === state.leader ? state : following(event.from));
      return event.says === "bye" && event.from === state.leader
        ? to(STANDING, "say-standing")
        : to(state);
    case "joined":
    case "robbed":
      return to(state);
  }
}

function whileLeading(
  state: LeaderState,
  event: LeaderEvent,
  { id, hasLocks }: OwnWindow,
): LeaderStep {
  switch (event.is) {
    case "left":
      return to(AWAY, "say-bye", "free-lock");
    case "robbed":
      return to(STANDING, "say-standing", "ask-lock");
    case "heard":
      if (event.says === "bye") return to(state);
      if (event.says === "standing") return to(state, "say-beat");
      // With locks, a leader that is replaced gets `robbed` from the browser.
      if (hasLocks) return to(state);
      return event.from < id ? to(following(event.from)) : to(state, "say-beat");
    case "joined":
    case "granted":
    case "elapsed":
      return to(state);
  }
}

function following(leader: string): LeaderState {
  return { name: "following", leader };
}
