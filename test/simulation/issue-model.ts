import { isDeepStrictEqual } from "node:util";
import type { Call } from "./history.ts";
import { linearize, type Model, type Verdict } from "./linearizable.ts";

/** What the clients of a history ask about one issue. `by` is the actor. */
export type IssueInput =
  | { readonly op: "claim"; readonly by: string }
  | { readonly op: "unassign"; readonly by: string }
  | {
      readonly op: "set";
      readonly by: string;
      readonly revision: number;
      readonly value: number;
      /** The write is to be carried out only under the lease with this fence. */
      readonly fence?: number;
    }
  /** `seconds`: how long the lease lasts. Without `seconds`, the lease has no end. */
  | { readonly op: "acquire"; readonly by: string; readonly seconds?: number }
  | { readonly op: "release"; readonly by: string; readonly fence: number }
  | { readonly op: "comment"; readonly by: string; readonly key: string }
  | { readonly op: "show" }
  /** The clock by which leases end is moved to this time, in ms. */
  | { readonly op: "time"; readonly now: number };

/** What the daemon answered, reduced to what the model knows. */
export interface IssueAnswer {
  readonly owner?: string | null;
  readonly revision?: number;
  readonly value?: number | null;
  readonly changed?: boolean;
  readonly granted?: boolean;
  readonly lease?: Lease | null;
  /** The uid of the comment. */
  readonly comment?: string;
  /** The uids of all comments, sorted. */
  readonly comments?: readonly string[];
}

interface Lease {
  readonly holder: string;
  readonly fence: number;
}

export interface IssueState {
  readonly owner: string | null;
  readonly revision: number;
  readonly value: number | null;
  /** `since`: when the lease was given or shortened; 0 if the lease has no end, so that equal states are equal. */
  readonly lease: (Lease & { readonly since: number; readonly expires: number | null }) | null;
  /** The fence of the last lease; none is used twice. */
  readonly fence: number;
  /** How the last lease ended, if it has ended and its end was written. */
  readonly ended: "released" | "expired" | null;
  readonly now: number;
  /** When the clock was moved to `now`, as a moment of the history. */
  readonly movedAt: number;
  /** The comment that each idempotency key made; `UNSEEN` if its uid was never answered. */
  readonly comments: Readonly<Record<string, string>>;
}

const UNSEEN = "unseen";
/** If a lease was given more than this many ms after the time that the clock shows now, the clock was set back. */
const SLACK_MS = 1000;

/** Refusals for a reason outside of the issue, such as a full queue or no database. They are possible in each state. */
export const ANYTIME: ReadonlySet<string> = new Set(["busy", "unavailable", "daemon_stopping"]);

const INITIAL: IssueState = {
  owner: null,
  revision: 1,
  value: null,
  lease: null,
  fence: 0,
  ended: null,
  now: 0,
  movedAt: 0,
  comments: {},
};

/** Looks for an order of the calls on one issue that explains what was answered. */
export function explain(
  calls: readonly Call<IssueInput, IssueAnswer>[],
): Verdict<IssueInput, IssueAnswer> {
  return linearize(modelFor(calls), calls);
}

/**
 * Claims, revisions, leases with fences, and comments with idempotency keys of one issue (docs/leases.md). A write uses
 * the time at which it looked at the lease, which is before its commit. So a reader may already see that the lease has
 * expired, but not yet what was written.
 */
function modelFor(
  history: readonly Call<IssueInput, IssueAnswer>[],
): Model<IssueState, IssueInput, IssueAnswer> {
  return {
    initial: INITIAL,
    step: (state, call) => {
      const decided = isWrite(call.input) ? timesDuring(history, call) : [];
      const earlier = decided.filter(({ movedAt }) => movedAt < state.movedAt);
      const times = new Set([state.now, ...earlier.map(({ now }) => now)]);
      return [...times].flatMap((now) =>
        perhapsTended({ ...state, now })
          .flatMap((from) => stepFrom(from, call))
          .map((next) => (isWrite(call.input) ? { ...next, now: state.now } : next)),
      );
    },
  };
}

function isWrite({ op }: IssueInput): boolean {
  return op !== "show" && op !== "time";
}

type ShownTime = Pick<IssueState, "now" | "movedAt">;

/** What the clock may have shown while a call was carried out. It may have been moved back as well as forward. */
function timesDuring(
  history: readonly Call<IssueInput, IssueAnswer>[],
  { invoked, returned }: Call<IssueInput, IssueAnswer>,
): readonly ShownTime[] {
  const moves = history.flatMap((call) =>
    call.input.op === "time" ? [{ ...call, now: call.input.now, movedAt: call.invoked }] : [],
  );
  const before = moves.filter((move) => move.returned < invoked);
  // Only the moves that may be the last before the call count: those that returned after all others were invoked.
  const last = Math.max(0, ...before.map((move) => move.invoked));
  const shown = before.filter((move) => move.returned > last);
  const meanwhile = moves.filter((move) => move.returned > invoked && move.invoked < returned);
  return [...(shown.length === 0 ? [INITIAL] : shown), ...meanwhile];
}

/**
 * Returns the states after an engine has perhaps changed the lease. It may write down the end of an expired lease at
 * any later time. If the clock was set back, it may let the lease last its usual time from now on.
 */
function perhapsTended(state: IssueState): readonly IssueState[] {
  if (hasExpired(state)) return [state, swept(state)];
  const { lease, now } = state;
  if (lease === null || lease.expires === null || lease.since <= now + SLACK_MS) return [state];
  const expires = now + lease.expires - lease.since;
  return [state, { ...state, lease: { ...lease, since: now, expires } }];
}

function stepFrom(
  state: IssueState,
  { input, outcome, invoked }: Call<IssueInput, IssueAnswer>,
): readonly IssueState[] {
  if (input.op === "time") return [{ ...state, now: input.now, movedAt: invoked }];
  const codes = refusals(state, input);
  if ("refused" in outcome)
    return ANYTIME.has(outcome.refused) || codes.has(outcome.refused) ? [state] : [];
  if (codes.size > 0) return [];
  const answer = "answer" in outcome ? outcome.answer : undefined;
  if (input.op === "comment") return commented(state, input.key, answer);
  const { next, expected } = carriedOut(state, input);
  return answer === undefined || agrees(expected, answer, state) ? [next] : [];
}

/** The codes with which the issue's own rules refuse the input in this state. The answer may have any of them. */
function refusals(state: IssueState, input: IssueInput): ReadonlySet<string> {
  const codes = new Set<string | undefined>();
  switch (input.op) {
    case "claim":
      if (state.owner !== null && state.owner !== input.by) codes.add("already_claimed");
      else if (state.owner === null) codes.add(deniedBy(state, input.by));
      break;
    case "unassign":
      if (state.owner !== null && state.owner !== input.by) codes.add("owner_mismatch");
      else if (state.owner !== null) codes.add(deniedBy(state, input.by));
      break;
    case "set":
      if (state.revision !== input.revision) codes.add("revision_conflict");
      else if (state.value !== input.value) codes.add(deniedBy(state, input.by));
      if (input.fence !== undefined) codes.add(fenceFault(state, input.fence));
      break;
    case "release":
      codes.add(fenceFault(state, input.fence));
      if (live(state) !== null && live(state)?.holder !== input.by) codes.add("claim_not_held");
      break;
    case "acquire":
    case "comment":
    case "show":
    case "time":
  }
  return new Set([...codes].filter((code) => code !== undefined));
}

/** Why the lease of the issue refuses a write of this actor; `undefined` if it does not. */
function deniedBy(state: IssueState, by: string): string | undefined {
  const { lease } = state;
  if (lease === null) return undefined;
  if (lease.holder === by) return hasExpired(state) ? "claim_expired" : undefined;
  return hasExpired(state) ? undefined : "claim_denied";
}

/** Why a request under this fence is refused; `undefined` if the lease with this fence is held now. */
function fenceFault(state: IssueState, fence: number): string | undefined {
  if (fence > state.fence) return "claim_not_held";
  if (fence < state.fence) return "fence_stale";
  if (live(state) !== null) return undefined;
  return state.lease !== null || state.ended === "expired" ? "claim_expired" : "claim_not_held";
}

function hasExpired({ lease, now }: IssueState): boolean {
  return lease !== null && lease.expires !== null && lease.expires <= now;
}

function live(state: IssueState): Lease | null {
  const { lease } = state;
  if (lease === null || hasExpired(state)) return null;
  return { holder: lease.holder, fence: lease.fence };
}

function swept(state: IssueState): IssueState {
  return { ...state, lease: null, ended: "expired" };
}

interface Transition {
  readonly next: IssueState;
  readonly expected: IssueAnswer;
}

/** The next state and the expected answer for an input that is not refused. */
function carriedOut(
  state: IssueState,
  input: Exclude<IssueInput, { op: "comment" | "time" }>,
): Transition {
  switch (input.op) {
    case "claim":
      return owned(state, input.by);
    case "unassign":
      return owned(state, null);
    case "set": {
      const { revision } = state;
      const isNew = state.value !== input.value;
      const next = { ...state, value: input.value, revision: isNew ? revision + 1 : revision };
      return { next, expected: { revision: next.revision, value: next.value } };
    }
    case "acquire":
      return acquired(hasExpired(state) ? swept(state) : state, input);
    case "release":
      return { next: { ...state, lease: null, ended: "released" }, expected: {} };
    case "show": {
      const { owner, revision, value } = state;
      return { next: state, expected: { owner, revision, value, lease: live(state) } };
    }
  }
}

function owned(state: IssueState, owner: string | null): Transition {
  const changed = state.owner !== owner;
  const next = changed ? { ...state, owner, revision: state.revision + 1 } : state;
  return { next, expected: { owner, revision: next.revision, changed } };
}

function acquired(
  state: IssueState,
  { by, seconds }: Extract<IssueInput, { op: "acquire" }>,
): Transition {
  const held = live(state);
  if (held !== null) return { next: state, expected: { granted: held.holder === by, lease: held } };
  const lease = { holder: by, fence: state.fence + 1 };
  const expires = seconds === undefined ? null : state.now + seconds * 1000;
  return {
    next: {
      ...state,
      lease: { ...lease, since: expires === null ? 0 : state.now, expires },
      ...{ fence: lease.fence, ended: null },
    },
    expected: { granted: true, lease },
  };
}

/** A key makes one comment. Each later call with the key answers with the same comment. */
function commented(
  state: IssueState,
  key: string,
  answer: IssueAnswer | undefined,
): readonly IssueState[] {
  const known = state.comments[key];
  const after = (uid: string) => ({ ...state, comments: { ...state.comments, [key]: uid } });
  if (answer === undefined) return [after(known ?? UNSEEN)];
  const { comment = UNSEEN, changed } = answer;
  const isSame = known === undefined || known === UNSEEN || known === comment;
  return isSame && changed === (known === undefined) ? [after(comment)] : [];
}

function agrees(
  expected: IssueAnswer,
  { comments, ...answer }: IssueAnswer,
  state: IssueState,
): boolean {
  if (!isDeepStrictEqual(expected, answer)) return false;
  return comments === undefined || hasComments(state, comments);
}

/** True if the issue has these comments, one for each key, whether or not a client ever learned its uid. */
function hasComments(state: IssueState, uids: readonly string[]): boolean {
  const made = Object.values(state.comments);
  const learned = made.filter((uid) => uid !== UNSEEN);
  return uids.length === made.length && learned.every((uid) => uids.includes(uid));
}
