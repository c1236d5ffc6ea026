import { isDeepStrictEqual } from "node:util";
import type { Model } from "./linearizable.ts";

/** What the clients of a history ask about one issue. `by` is the actor. */
export type IssueInput =
  | { readonly op: "claim"; readonly by: string }
  | { readonly op: "unassign"; readonly by: string }
  | {
      readonly op: "set";
      readonly by: string;
      readonly revision: number;
      readonly value: number;
    }
  | { readonly op: "acquire"; readonly by: string }
  | { readonly op: "release"; readonly by: string; readonly fence: number }
  | { readonly op: "comment"; readonly by: string; readonly key: string }
  | { readonly op: "show" };

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
  readonly lease: Lease | null;
  /** The fence of the last lease; none is used twice. */
  readonly fence: number;
  /** The comment that each idempotency key made; `UNSEEN` if its uid was never answered. */
  readonly comments: Readonly<Record<string, string>>;
}

const UNSEEN = "unseen";

/** Refusals for a reason outside of the issue, such as a full queue or no database. They are possible in each state. */
const ANYTIME: ReadonlySet<string> = new Set(["busy", "unavailable", "daemon_stopping"]);

/** Claims, revisions, leases with fences, and comments with idempotency keys of one issue (docs/leases.md). */
export const issueModel: Model<IssueState, IssueInput, IssueAnswer> = {
  initial: { owner: null, revision: 1, value: null, lease: null, fence: 0, comments: {} },
  step(state, { input, outcome }) {
    const codes = refusals(state, input);
    if ("refused" in outcome)
      return ANYTIME.has(outcome.refused) || codes.has(outcome.refused) ? [state] : [];
    if (codes.size > 0) return [];
    const answer = "answer" in outcome ? outcome.answer : undefined;
    if (input.op === "comment") return commented(state, input.key, answer);
    const { next, expected } = carriedOut(state, input);
    return answer === undefined || agrees(expected, answer, state) ? [next] : [];
  },
};

/** The codes with which the issue's own rules refuse the input in this state. If there are several, any may come. */
function refusals(state: IssueState, input: IssueInput): ReadonlySet<string> {
  const codes = new Set<string>();
  const { lease } = state;
  const isDenied = "by" in input && lease !== null && lease.holder !== input.by;
  switch (input.op) {
    case "claim":
      if (state.owner !== null && state.owner !== input.by) codes.add("already_claimed");
      else if (state.owner === null && isDenied) codes.add("claim_denied");
      break;
    case "unassign":
      if (state.owner !== null && state.owner !== input.by) codes.add("owner_mismatch");
      else if (state.owner !== null && isDenied) codes.add("claim_denied");
      break;
    case "set":
      if (state.revision !== input.revision) codes.add("revision_conflict");
      else if (isDenied && state.value !== input.value) codes.add("claim_denied");
      break;
    case "release":
      if (lease !== null && lease.holder === input.by && lease.fence === input.fence) break;
      codes.add(input.fence < state.fence ? "fence_stale" : "claim_not_held");
      break;
    case "acquire":
    case "comment":
    case "show":
  }
  return codes;
}

interface Carried {
  readonly next: IssueState;
  readonly expected: IssueAnswer;
}

/** What follows from an input that is not refused. */
function carriedOut(state: IssueState, input: Exclude<IssueInput, { op: "comment" }>): Carried {
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
      return acquired(state, input.by);
    case "release":
      return { next: { ...state, lease: null }, expected: {} };
    case "show": {
      const { owner, revision, value, lease } = state;
      return { next: state, expected: { owner, revision, value, lease } };
    }
  }
}

function owned(state: IssueState, owner: string | null): Carried {
  const changed = state.owner !== owner;
  const next = changed ? { ...state, owner, revision: state.revision + 1 } : state;
  return { next, expected: { owner, revision: next.revision, changed } };
}

function acquired(state: IssueState, holder: string): Carried {
  const { lease } = state;
  if (lease !== null) return { next: state, expected: { granted: lease.holder === holder, lease } };
  const made = { holder, fence: state.fence + 1 };
  return {
    next: { ...state, lease: made, fence: made.fence },
    expected: { granted: true, lease: made },
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
