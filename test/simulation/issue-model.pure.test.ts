import { describe, expect, test } from "vitest";
import type { Call, Outcome } from "./history.ts";
import { explain, type IssueAnswer, type IssueInput } from "./issue-model.ts";

type At = readonly [invoked: number, returned: number];
type Row = readonly [at: At, input: IssueInput, outcome: Outcome<IssueAnswer>];

const FOREVER = Number.POSITIVE_INFINITY;
const lost = { unknown: "the connection broke" };
const claim = (by: string): IssueInput => ({ op: "claim", by });
const owned = (owner: string, revision: number, changed = true) => ({
  answer: { owner, revision, changed },
});
const show: IssueInput = { op: "show" };
const seen = (answer: IssueAnswer) => ({
  answer: { owner: null, revision: 1, value: null, lease: null, ...answer },
});
const set = (revision: number, value: number): IssueInput => ({
  op: "set",
  by: "ann",
  revision,
  value,
});
const acquire = (by: string): IssueInput => ({ op: "acquire", by });
const leased = (holder: string, fence: number, granted = true) => ({
  answer: { granted, lease: { holder, fence } },
});
const forMinute = (by: string): IssueInput => ({ op: "acquire", by, seconds: 60 });
const underFence = (fence: number): IssueInput => ({
  ...{ op: "set", by: "ann", revision: 1, value: 7 },
  fence,
});
const time = (seconds: number): IssueInput => ({ op: "time", now: seconds * 1000 });
const moved = { answer: {} };
const comment = (key: string): IssueInput => ({ op: "comment", by: "ann", key });
const commented = (uid: string, changed: boolean) => ({ answer: { comment: uid, changed } });

function isLinearizable(rows: readonly Row[]): boolean {
  const calls = rows.map(
    ([[invoked, returned], input, outcome], at): Call<IssueInput, IssueAnswer> => ({
      client: `c${at}`,
      input,
      invoked,
      returned,
      outcome,
    }),
  );
  return explain(calls).linearizable;
}

describe("a history that a single issue can explain", () => {
  test.each<readonly [string, readonly Row[]]>([
    [
      "two claims at the same time, one of which is refused",
      [
        [[1, 4], claim("ann"), { refused: "already_claimed" }],
        [[2, 3], claim("bea"), owned("bea", 2)],
      ],
    ],
    [
      "a claim whose answer was lost and which nobody ever sees",
      [
        [[1, FOREVER], claim("ann"), lost],
        [[3, 4], show, seen({})],
      ],
    ],
    [
      "a claim whose answer was lost and which is carried out after a later read",
      [
        [[1, FOREVER], claim("ann"), lost],
        [[3, 4], show, seen({})],
        [[5, 6], show, seen({ owner: "ann", revision: 2 })],
      ],
    ],
    [
      "a read beside a write sees the issue before it or after it",
      [
        [[1, 6], set(1, 7), { answer: { revision: 2, value: 7 } }],
        [[2, 3], show, seen({})],
        [[4, 5], show, seen({ revision: 2, value: 7 })],
      ],
    ],
    [
      "a repeated key answers with the comment of the call whose answer was lost",
      [
        [[1, FOREVER], comment("k"), lost],
        [[3, 4], comment("k"), commented("x", false)],
        [[5, 6], show, seen({ comments: ["x"] })],
      ],
    ],
    [
      "a lease that was released is followed by one with the next fence",
      [
        [[1, 2], acquire("ann"), leased("ann", 1)],
        [[3, 4], { op: "release", by: "ann", fence: 1 }, { answer: {} }],
        [[5, 6], acquire("bea"), leased("bea", 2)],
        [[7, 8], { op: "release", by: "ann", fence: 1 }, { refused: "fence_stale" }],
      ],
    ],
    [
      "a lease ends when its time has passed, and the next one has the next fence",
      [
        [[1, 2], forMinute("ann"), leased("ann", 1)],
        [[3, 4], time(60), moved],
        [[5, 6], underFence(1), { refused: "claim_expired" }],
        [[7, 8], show, seen({})],
        [[9, 10], acquire("bea"), leased("bea", 2)],
        [[11, 12], underFence(1), { refused: "fence_stale" }],
      ],
    ],
    [
      "a lease lasts its usual time from the moment at which the clock was set back",
      [
        [[1, 2], time(7200), moved],
        [[3, 4], forMinute("ann"), leased("ann", 1)],
        [[5, 6], time(3600), moved],
        [[7, 8], time(3660), moved],
        [[9, 10], acquire("bea"), leased("bea", 2)],
      ],
    ],
    [
      "a write that looked at a lease before its end is committed after a read that sees it ended",
      [
        [[1, 2], forMinute("ann"), leased("ann", 1)],
        [[3, 8], underFence(1), { answer: { revision: 2, value: 7 } }],
        [[4, 5], time(60), moved],
        [[6, 7], show, seen({})],
      ],
    ],
    [
      "a lease that has ended lasts again after the clock was set back",
      [
        [[1, 2], forMinute("ann"), leased("ann", 1)],
        [[3, 4], time(3600), moved],
        [[5, 6], show, seen({})],
        [[7, 8], time(30), moved],
        [[9, 10], underFence(1), { answer: { revision: 2, value: 7 } }],
      ],
    ],
    [
      "a write that looked at a lease before the clock was set back is committed after it",
      [
        [[1, 2], forMinute("ann"), leased("ann", 1)],
        [[3, 4], time(60), moved],
        [[5, 8], underFence(1), { refused: "claim_expired" }],
        [[6, 7], time(30), moved],
        [[9, 10], show, seen({ lease: { holder: "ann", fence: 1 } })],
      ],
    ],
    [
      "a value that is already there is set again, and changes nothing",
      [
        [[1, 2], set(1, 7), { answer: { revision: 2, value: 7 } }],
        [[3, 4], set(2, 7), { answer: { revision: 2, value: 7 } }],
      ],
    ],
    [
      "a refusal for want of a database says nothing about the issue",
      [[[1, 2], claim("ann"), { refused: "unavailable" }]],
    ],
  ])("%s", (_title, rows) => {
    expect(isLinearizable(rows)).toBe(true);
  });
});

describe("a history that no single issue can explain", () => {
  test.each<readonly [string, readonly Row[]]>([
    [
      "two actors are both told that they own the issue",
      [
        [[1, 3], claim("ann"), owned("ann", 2)],
        [[2, 4], claim("bea"), owned("bea", 3)],
      ],
    ],
    [
      "a failure is said for a write that was made",
      [
        [[1, 2], claim("ann"), { refused: "unavailable" }],
        [[3, 4], show, seen({ owner: "ann", revision: 2 })],
      ],
    ],
    [
      "an acknowledged write is gone",
      [
        [[1, 2], set(1, 7), { answer: { revision: 2, value: 7 } }],
        [[3, 4], show, seen({})],
      ],
    ],
    [
      "a read shows an older issue than the read before it",
      [
        [[1, 9], set(1, 7), { answer: { revision: 2, value: 7 } }],
        [[2, 3], show, seen({ revision: 2, value: 7 })],
        [[4, 5], show, seen({})],
      ],
    ],
    [
      "two writes pass the guard of one revision",
      [
        [[1, 3], set(1, 7), { answer: { revision: 2, value: 7 } }],
        [[2, 4], set(1, 8), { answer: { revision: 2, value: 8 } }],
      ],
    ],
    [
      "a fence is used twice",
      [
        [[1, 2], acquire("ann"), leased("ann", 1)],
        [[3, 4], { op: "release", by: "ann", fence: 1 }, { answer: {} }],
        [[5, 6], acquire("bea"), leased("bea", 1)],
      ],
    ],
    [
      "a write passes a lease that somebody else holds",
      [
        [[1, 2], acquire("bea"), leased("bea", 1)],
        [[3, 4], claim("ann"), owned("ann", 2)],
      ],
    ],
    [
      "a write passes under the fence of a lease that had ended before it was sent",
      [
        [[1, 2], forMinute("ann"), leased("ann", 1)],
        [[3, 4], time(60), moved],
        [[5, 6], underFence(1), { answer: { revision: 2, value: 7 } }],
      ],
    ],
    [
      "a write passes under a fence whose lease another actor took over",
      [
        [[1, 2], forMinute("ann"), leased("ann", 1)],
        [[3, 10], underFence(1), { answer: { revision: 2, value: 7 } }],
        [[4, 5], time(60), moved],
        [[6, 7], acquire("bea"), leased("bea", 2)],
        [[8, 9], show, seen({ lease: { holder: "bea", fence: 2 } })],
      ],
    ],
    [
      "a write goes by what the clock showed before it was set back, and was sent after it",
      [
        [[1, 2], forMinute("ann"), leased("ann", 1)],
        [[3, 4], time(60), moved],
        [[5, 6], time(30), moved],
        [[7, 8], underFence(1), { refused: "claim_expired" }],
        [[9, 10], show, seen({ lease: { holder: "ann", fence: 1 } })],
      ],
    ],
    [
      "a lease has ended before its time",
      [
        [[1, 2], forMinute("ann"), leased("ann", 1)],
        [[3, 4], time(59), moved],
        [[5, 6], show, seen({})],
      ],
    ],
    [
      "a lease has ended before its time, though the clock was set back",
      [
        [[1, 2], time(7200), moved],
        [[3, 4], forMinute("ann"), leased("ann", 1)],
        [[5, 6], time(3600), moved],
        [[7, 8], time(3659), moved],
        [[9, 10], acquire("bea"), leased("bea", 2)],
      ],
    ],
    [
      "one key makes two comments",
      [
        [[1, 2], comment("k"), commented("x", true)],
        [[3, 4], comment("k"), commented("y", true)],
      ],
    ],
    [
      "a comment whose answer was lost stands twice after its key was repeated",
      [
        [[1, FOREVER], comment("k"), lost],
        [[3, 4], comment("k"), commented("x", true)],
        [[5, 6], show, seen({ comments: ["w", "x"] })],
      ],
    ],
    [
      "a refusal names a reason that the issue does not have",
      [[[1, 2], claim("ann"), { refused: "already_claimed" }]],
    ],
  ])("%s", (_title, rows) => {
    expect(isLinearizable(rows)).toBe(false);
  });

  test("the verdict names the calls that cannot be explained", () => {
    const at = (invoked: number, returned: number) => ({ invoked, returned });
    const first = { client: "a", input: claim("ann"), ...at(1, 2), outcome: owned("ann", 2) };
    const second = { client: "b", input: claim("bea"), ...at(3, 4), outcome: owned("bea", 3) };
    expect(explain([first, second])).toEqual({
      linearizable: false,
      isUndecided: false,
      order: [first],
      unexplained: [second],
    });
  });
});

test("calls with unknown outcomes do not prevent the search from ending", () => {
  const calls: Call<IssueInput, IssueAnswer>[] = [];
  for (let at = 0; at < 12; at += 1)
    calls.push({
      client: "u",
      input: comment(`k${at}`),
      invoked: at,
      returned: FOREVER,
      outcome: lost,
    });
  for (let at = 0; at < 28; at += 1) {
    const invoked = 100 + 2 * at;
    const outcome = { answer: { revision: at + 2, value: at } };
    calls.push({ client: "s", input: set(at + 1, at), invoked, returned: invoked + 1, outcome });
  }
  expect(explain(calls).linearizable).toBe(true);
});
