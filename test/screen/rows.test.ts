import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { derivedOf, isReady } from "../../src/domain/readiness.ts";
import type { Row } from "../../src/screen/board/order.ts";
import { type RowsInput, rowsOf } from "../../src/screen/board/rows.ts";
import {
  type Issue,
  type Issues,
  NO_ISSUES,
  withIssues,
  withoutIssues,
} from "../../src/screen/issues/issues.ts";
import { type IssueContext, isMatch, parseQuery, textOf } from "../../src/screen/issues/query.ts";
import { relationsOf } from "../../src/screen/issues/relations.ts";
import { Memo } from "../../src/screen/memo.ts";
import { issue } from "../tui/support.ts";

const preferences = { zone: "UTC" };
const NUMBERS = 12;
const number = fc.integer({ min: 1, max: NUMBERS });
const START_MS = instantToMs("2026-11-21T10:00:00.000Z");
/** Some days are a minute or two after the start. */
const DAYS = ["2026-11-20", "2026-11-21T10:01", "2026-11-21T10:02", "2030-01-01", "never"];
const QUERIES = [
  "status:open",
  "status:ready",
  "status:blocked",
  "status:all crash",
  "status:all cras",
  "status:all crash slow",
  "status:closed label:api",
  "status:open owner:ana p<=2",
];

const change = fc.record({
  act: fc.constantFrom("put", "put", "put", "put", "remove"),
  number,
  status: fc.constantFrom("open", "open", "open", "closed"),
  parent: fc.option(number, { nil: undefined }),
  blockers: fc.uniqueArray(number, { maxLength: 2 }),
  blocked: fc.boolean(),
  someday: fc.boolean(),
  day: fc.option(fc.constantFrom(...DAYS), { nil: undefined }),
  deadline: fc.constantFrom(undefined, undefined, undefined, "2026-11-30"),
  updated: fc.integer({ min: 0, max: 5 }),
  owner: fc.constantFrom("ana", "bo", undefined),
  labels: fc.subarray(["api", "bug", "ui"]),
  words: fc.constantFrom("Crash", "slow crash", "Typo"),
  priority: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
});

const look = fc.record({
  query: fc.constantFrom(...QUERIES),
  flat: fc.boolean(),
  order: fc.constantFrom("updated", "created", "priority"),
  folded: fc.uniqueArray(number, { maxLength: 3 }),
  minutes: fc.integer({ min: 0, max: 3 }),
  /** How many tables before the current one are looked at. */
  back: fc.constantFrom(0, 0, 0, 1, 3),
});

const step = fc.record({
  changes: fc.array(change, { maxLength: 4 }),
  looks: fc.array(look, { minLength: 1, maxLength: 3 }),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

describe("the board after any changes of issues", () => {
  test("has the same rows, states and counts as a board that is computed from scratch", () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const tables = [NO_ISSUES];
        const memo = new Memo();
        let revision = 1;
        for (const { changes, looks } of steps) {
          let issues = tables.at(-1) ?? NO_ISSUES;
          for (const one of changes) issues = changed(issues, one, (revision += 1));
          tables.push(issues);
          for (const { back, minutes, folded, ...shown } of looks) {
            const asked = tables[Math.max(0, tables.length - 1 - back)] ?? NO_ISSUES;
            const now = msToInstant(START_MS + minutes * 60_000);
            const uids = new Set(folded.map((at) => issue(at).uid));
            const input = {
              ...shown,
              memo,
              issues: asked,
              truth: new Map(),
              now,
              folded: uids,
              preferences,
            };
            expect(rowsOf(input)).toEqual(plainRows(input));
            expect(countsIn(memo, asked, now)).toEqual(plainCounts(asked, now));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([true, false])(
    "reuses the object of a row whose issue and position are unchanged, in a flat list: %s",
    (flat) => {
      const issues = withIssues(
        NO_ISSUES,
        Array.from({ length: 200 }, (_none, at) =>
          issue(at + 1, { parent: at % 3 === 0 ? undefined : issue(at).uid }),
        ),
      );
      const input = {
        memo: new Memo(),
        query: "status:all",
        flat,
        order: "updated",
        folded: new Set<string>(),
        preferences,
      } as const;
      const rows = (known: Issues) =>
        rowsOf({ ...input, issues: known, truth: new Map(), now: msToInstant(START_MS) });
      const before = rows(issues);
      const second = issue(2, {
        parent: issue(1).uid,
        title: "renamed",
        updated_at: "2026-11-21T09:00:00.000Z",
      });
      const after = rows(withIssues(issues, [second]));
      const others = (all: readonly Row[]) => all.filter((row) => row.issue.uid !== second.uid);
      expect(after).toHaveLength(200);
      expect(after.filter((row) => !before.includes(row)).map((row) => row.issue)).toEqual([
        second,
      ]);
      expect(new Set(others(after))).toEqual(new Set(others(before)));
      const changed = Array.from({ length: 100 }, (_none, at) =>
        issue(at + 1, { title: "again", revision: 2 }),
      );
      expect(rows(withIssues(issues, changed)).filter((row) => before.includes(row))).toHaveLength(
        100,
      );
    },
  );

  test("keeps the newer revision of an issue, and leaves the table before the change as it was", () => {
    const first = withIssues(NO_ISSUES, [issue(1, { revision: 3, title: "newer" })]);
    const second = withIssues(first, [
      issue(1, { revision: 2, title: "older" }),
      issue(2, { revision: 2, title: "newer" }),
      issue(2, { revision: 1, title: "older" }),
    ]);
    expect([...second.values()].map(({ title }) => title)).toEqual(["newer", "newer"]);
    const third = withoutIssues(second, [issue(1).uid, "unknown"]);
    expect([first.size, second.size, third.size]).toEqual([1, 2, 1]);
    expect(withoutIssues(third, ["unknown"])).toBe(third);
    expect([...third.keys()]).toEqual([issue(2).uid]);
  });
});

function changed(issues: Issues, one: Change, revision: number): Issues {
  if (one.act === "remove") return withoutIssues(issues, [issue(one.number).uid]);
  const { status, parent, blockers, blocked, someday, day, deadline } = one;
  const { updated, owner, labels, priority } = one;
  const made = issue(one.number, {
    status,
    parent: parent === undefined ? undefined : issue(parent).uid,
    blocked_by: blockers.map((at) => issue(at).uid),
    blocked,
    metadata: {
      someday,
      ...(day === undefined ? {} : { scheduled_on: day, timezone: "UTC" }),
      ...(deadline === undefined ? {} : { deadline_on: deadline }),
    },
    updated_at: msToInstant(START_MS - updated * 1000),
    title: one.words,
    owner,
    labels,
    priority,
    revision,
  });
  return withIssues(issues, [made]);
}

function countsIn(memo: Memo, issues: Issues, now: string) {
  const relations = relationsOf({ memo, issues, now, preferences });
  const standings = [...issues.values()].map((one) => [one.uid, relations.standingOf(one)]);
  return {
    ...relations.counts(),
    standings: Object.fromEntries(standings),
    hasDeadlines: relations.hasDeadlines(),
  };
}

function plainCounts(issues: Issues, now: string) {
  const all = [...issues.values()];
  const standings = all.map((one) => [one.uid, plainStanding(one, all, now)] as const);
  const having = (wanted: string): number => standings.filter(([, is]) => is === wanted).length;
  const open = all.filter(({ status }) => status === "open");
  return {
    statuses: {
      all: all.length,
      open: open.length,
      ready: having("ready"),
      blocked: having("blocked"),
      waiting: having("waiting"),
      closed: having("closed"),
    },
    labels: tally(open.flatMap(({ labels }) => labels)),
    owners: tally(open.map(({ owner }) => owner ?? "(none)")),
    standings: Object.fromEntries(standings),
    hasDeadlines: open.some(({ metadata }) => metadata["deadline_on"] !== undefined),
  };
}

function tally(values: readonly string[]) {
  return [...new Set(values)]
    .map((value) => [value, values.filter((one) => one === value).length] as const)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function plainStanding(one: Issue, all: readonly Issue[], now: string): string {
  if (one.status === "closed") return "closed";
  const byUid = (uid: string): Issue | undefined => all.find((other) => other.uid === uid);
  const blockers = one.blocked_by.map(byUid);
  if (blockers.some((blocker) => blocker?.status === "open")) return "blocked";
  if (one.blocked && blockers.includes(undefined)) return "blocked";
  const links = all.flatMap(({ uid, parent, blocked_by }) => [
    ...blocked_by.map((from_uid) => ({ from_uid, to_uid: uid, type: "blocks" as const })),
    ...(parent === undefined ? [] : [{ from_uid: uid, to_uid: parent, type: "parent" as const }]),
  ]);
  const graph = {
    issue: byUid,
    project: () => ({ deleted_at: null }),
    recurrence: () => undefined,
    linksOf: (uid: string) =>
      links.filter(({ from_uid, to_uid }) => from_uid === uid || to_uid === uid),
  };
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isReady(derivedOf(graph, one, zone), now, false) ? "ready" : "waiting";
}

function plainRows({ issues, query: text, flat, order, folded, now }: RowsInput): readonly Row[] {
  const all = [...issues.values()];
  const query = parseQuery(text);
  const isStanding = (one: Issue): boolean => {
    if (query.status === "all" || query.status === one.status) return true;
    return query.status === plainStanding(one, all, now);
  };
  const anyStatus = { ...query, status: "all" as const };
  const around: IssueContext = { standingOf: () => "ready", isDated: () => false, textOf };
  const matches = all.filter((one) => isStanding(one) && isMatch(one, anyStatus, around));
  const key = (one: Issue): readonly (string | number)[] => {
    const time = -instantToMs(order === "created" ? one.created_at : one.updated_at);
    return order === "priority" ? [one.priority ?? 5, time] : [time];
  };
  const compare = (a: Issue, b: Issue): number => {
    const [first, second] = [
      [...key(a), a.uid],
      [...key(b), b.uid],
    ];
    const at = first.findIndex((value, index) => value !== second[index]);
    return (first[at] ?? "") < (second[at] ?? "") ? -1 : 1;
  };
  if (flat) {
    const row = { depth: 0, context: false, fold: "leaf" } as const;
    return matches.sort(compare).map((one) => ({ issue: one, ...row }));
  }
  const isShown = (one: Issue, seen: readonly Issue[] = []): boolean =>
    matches.includes(one) ||
    (!seen.includes(one) &&
      all.some((child) => child.parent === one.uid && isShown(child, [...seen, one])));
  const below = (uid: string | undefined, depth: number): readonly Row[] =>
    all
      .filter((one) => (uid === undefined ? isRoot(one) : one.parent === uid) && isShown(one))
      .sort(compare)
      .flatMap((one): readonly Row[] => {
        const children = below(one.uid, depth + 1);
        const isFolded = folded.has(one.uid);
        const fold = children.length === 0 ? "leaf" : isFolded ? "folded" : "open";
        const row: Row = { issue: one, depth, context: !matches.includes(one), fold };
        return isFolded ? [row] : [row, ...children];
      });
  const isRoot = ({ parent }: Issue): boolean => parent === undefined || !issues.has(parent);
  return below(undefined, 0);
}
