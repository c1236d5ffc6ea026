import { expect, test } from "vitest";
import { verifiedView } from "../../src/cli/render/verified.ts";
import type { verifyFederationReplica } from "../../src/contract/federation-verify.ts";
import type { Output } from "../../src/contract/route.ts";

type Verified = Output<typeof verifyFederationReplica>;

const [EVENT, ISSUE] = ["01J00000000000000000000009", "01J00000000000000000000007"];

const FOUND = {
  project: { id: 1, name: "web" },
  ...{ state: "equal", through: 12, event_count: 7, hub_event_count: 7 },
  ...{ round_trips: 1, fold_version: 1, hub_fold_version: 1 },
} as unknown as Verified;

const DIFFERENCE = {
  ...{ event_id: 9, event_uid: EVENT, type: "issue.updated", issue_uid: ISSUE },
  created_at: "2026-01-01T00:00:00.000Z",
} as const;

const OTHERS = { compared: 4, left_out: 0, different: 0, rows: [] };
const ROWS = {
  ...{ state: "equal" as const, compared: 3, left_out: 0, different: 0, issues: [] },
  others: OTHERS,
};

const lines = (found: Partial<Verified>): readonly string[] =>
  verifiedView.human({ ...FOUND, ...found }, { quiet: false } as never).split("\n");

test("svc federation verify says in one line that a copy has the same events as its hub", () => {
  expect(lines({})).toEqual(["web: the same 7 events as the hub has, up to event 12"]);
});

test.each([
  ["missing_here", "is on the hub alone"],
  ["missing_there", "is here alone"],
  ["other_content", "is another one here"],
] as const)(
  "svc federation verify says of a first difference of the kind %s that the event %s",
  (kind, words) => {
    const first_difference = { ...DIFFERENCE, kind };
    expect(lines({ state: "different", hub_event_count: 8, first_difference })).toEqual([
      "web: 7 events here and 8 on the hub, up to event 12; they differ",
      `first difference: event 9 of the hub, ${EVENT} (issue.updated), of issue ${ISSUE}, ${words}`,
    ]);
  },
);

test.each([
  ["hub_too_old", "older"],
  ["hub_log_changed", "another one"],
  ["reset_required", "purged"],
  ["horizon_moved", "baseline"],
  ["not_read_yet", "not been read"],
] as const)(
  "svc federation verify calls a copy unknown that cannot be compared, for the reason %s",
  (reason, word) => {
    const [said = ""] = lines({ state: "unknown", reason });
    expect(said).toMatch(/^web: unknown whether it has what its hub has: /);
    expect(said).toContain(word);
    expect(said).not.toContain("the same");
  },
);

test.each([
  ["events_differ", "the events differ too"],
  ["older_fold_here", "upgrade it"],
  ["older_fold_there", "the hub makes rows by older rules"],
  ["faulty_fold", "svc doctor on both"],
] as const)("svc federation verify names different rows with their cause: %s", (cause, words) => {
  const issues = [{ issue_uid: ISSUE, kind: "other_rows" }] as const;
  const rows = {
    ...ROWS,
    state: "different",
    left_out: 2,
    different: 1,
    issues: [...issues],
    cause,
  };
  const [, said, issue] = lines({ rows: rows as never });
  expect(said).toMatch(
    /^rows: 1 of 3 issues and 4 other rows differ; 2 left out, since changes are under way: /,
  );
  expect(said).toContain(words);
  expect(said).not.toContain("partial");
  expect(issue).toBe(`  issue ${ISSUE} has other rows`);
});

test("svc federation verify counts equal rows, and calls rows unknown that cannot be compared", () => {
  expect(lines({ rows: { ...ROWS, issues: [] } })[1]).toBe(
    "rows: the same for 3 issues and 4 other rows",
  );
  expect(lines({ rows: { ...ROWS, state: "unknown", issues: [] } })[1]).toContain("unknown");
});

test("svc federation verify gives a partial answer if the hub compares only issues", () => {
  const { others: _, ...issuesAlone } = ROWS;
  const partial = { ...issuesAlone, state: "partial" as const, issues: [] };
  expect(lines({ rows: partial })[1]).toMatch(/^rows: the same for 3 issues; partial: /);
  const issues = [{ issue_uid: ISSUE, kind: "other_rows" as const }];
  const different = { ...issuesAlone, state: "different" as const, different: 1, issues };
  expect(lines({ rows: different })[1]).toMatch(/^rows: 1 of 3 issues differ; partial: /);
});

test("svc federation verify names a different row that is no issue by its kind and its uid", () => {
  const rows = [{ row: "job" as const, uid: EVENT, kind: "missing_here" as const }];
  const others = { ...OTHERS, different: 1, rows };
  const found = { ...FOUND, rows: { ...ROWS, state: "different" as const, issues: [], others } };
  expect(lines(found).slice(1)).toEqual([
    "rows: 1 of 3 issues and 4 other rows differ",
    `  job ${EVENT} is missing here`,
  ]);
  expect(verifiedView.agent(found, false)).toContain(`- job=${EVENT} kind=missing_here`);
  expect(verifiedView.human(found, { quiet: true } as never)).toBe(EVENT);
});

test("the agent output of svc federation verify has one line for the first difference and one for each issue", () => {
  const first_difference = { ...DIFFERENCE, kind: "missing_here" } as const;
  const issues = [{ issue_uid: ISSUE, kind: "missing_here" as const }];
  const rows = { ...ROWS, state: "different" as const, different: 1, issues };
  const found = { ...FOUND, state: "different" as const, first_difference, rows };
  const said = verifiedView.agent(found, false);
  expect(said).toContain("federation_verify project=web state=different through=12 events=7");
  expect(said).toContain("First-Difference: first difference: event 9 of the hub");
  expect(said).toContain(`- issue=${ISSUE} kind=missing_here`);
});

test("svc federation verify -q prints the issues whose rows differ, and nothing else", () => {
  const issues = [{ issue_uid: ISSUE, kind: "other_rows" as const }];
  const rows = { ...ROWS, state: "different" as const, different: 1, issues };
  const quiet = { quiet: true } as never;
  expect(verifiedView.human({ ...FOUND, rows }, quiet)).toBe(ISSUE);
  expect(verifiedView.human(FOUND, quiet)).toBe("");
});
