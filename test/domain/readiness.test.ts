import { describe, expect, test } from "vitest";
import type { MemoryState } from "../../src/domain/memory.ts";
import { derivedOf, isReady, type Reason, whyNotReady } from "../../src/domain/readiness.ts";
import type { IssueRow, LinkRow } from "../../src/domain/state.ts";
import { issueRow, linkRow, projectRow, stateOf } from "./rows.ts";

const NOW = "2026-06-01T12:00:00.000Z";
const ZONE = "Europe/Berlin";
const ARCHIVED = projectRow({ uid: "Q", name: "old", deleted_at: NOW });

function reasonsOf(state: MemoryState, uid: string): readonly Reason[] {
  return whyNotReady(state, issueOf(state, uid), NOW, ZONE);
}

function names(state: MemoryState, uid: string): readonly string[] {
  return reasonsOf(state, uid).map(({ reason }) => reason);
}

function ready(state: MemoryState, uid: string, containers = false): boolean {
  return isReady(derivedOf(state, issueOf(state, uid), ZONE), NOW, containers);
}

function issueOf(state: MemoryState, uid: string): IssueRow {
  const issue = state.issue(uid);
  if (issue === undefined) throw new Error(`no issue ${uid}`);
  return issue;
}

const closed = { status: "closed" } as const;
const deleted = { deleted_at: NOW } as const;
const parked = { metadata: { someday: true } } as const;
const archived = { project_uid: "Q" } as const;

type Case = readonly [
  name: string,
  issues: readonly IssueRow[],
  links: readonly LinkRow[],
  reasons: readonly string[],
];

const blocks = [linkRow("B", "blocks", "A")];
const childOf = [linkRow("A", "parent", "B")];
const parentOf = [linkRow("B", "parent", "A")];

const CASES: readonly Case[] = [
  ["alone", [], [], []],
  ["with an open blocker", [issueRow("B")], blocks, ["blocked"]],
  ["with a closed blocker", [issueRow("B", closed)], blocks, []],
  ["with a deleted blocker", [issueRow("B", deleted)], blocks, []],
  ["with a blocker in an archived project", [issueRow("B", archived)], blocks, []],
  ["that blocks another", [issueRow("B")], [linkRow("A", "blocks", "B")], []],
  ["related to another", [issueRow("B", parked)], [linkRow("A", "related", "B")], []],
  ["with an open child", [issueRow("B")], parentOf, ["open_children"]],
  ["with a parked child", [issueRow("B", parked)], parentOf, ["open_children"]],
  ["with a closed child", [issueRow("B", closed)], parentOf, []],
  ["with a deleted child", [issueRow("B", deleted)], parentOf, []],
  ["with a child in an archived project", [issueRow("B", archived)], parentOf, []],
  ["under an open parent", [issueRow("B")], childOf, []],
  ["under a parked parent", [issueRow("B", parked)], childOf, ["held"]],
  ["under a parked parent that is closed", [issueRow("B", { ...parked, ...closed })], childOf, []],
  [
    "under a parked parent that is deleted",
    [issueRow("B", { ...parked, ...deleted })],
    childOf,
    [],
  ],
  [
    "under a parked parent in an archived project",
    [issueRow("B", { ...parked, ...archived })],
    childOf,
    [],
  ],
  [
    "under a scheduled parent",
    [issueRow("B", { metadata: { scheduled_on: "2027-01-01" } })],
    childOf,
    [],
  ],
  [
    "under a blocked parent",
    [issueRow("B"), issueRow("C")],
    [...childOf, linkRow("C", "blocks", "B")],
    ["held"],
  ],
  [
    "under a parent whose parent is parked",
    [issueRow("B"), issueRow("C", parked)],
    [...childOf, linkRow("B", "parent", "C")],
    ["held"],
  ],
  [
    "under a closed parent whose parent is parked",
    [issueRow("B", closed), issueRow("C", parked)],
    [...childOf, linkRow("B", "parent", "C")],
    [],
  ],
];

describe("an open issue", () => {
  test.each(CASES)(
    "an open issue %s has the expected reasons not to be ready",
    (_name, others, links, reasons) => {
      const state = stateOf([issueRow("A"), ...others], links, [projectRow(), ARCHIVED]);
      expect(names(state, "A")).toEqual(reasons);
      expect(ready(state, "A")).toBe(reasons.length === 0);
      expect(ready(state, "A", true)).toBe(reasons.every((reason) => reason === "open_children"));
    },
  );

  test.each([
    [{ someday: true }, ["parked"]],
    [{ someday: "true" }, []],
    [{ scheduled_on: "2026-06-01" }, []],
    [{ scheduled_on: "2026-06-01T14:00" }, []],
    [{ scheduled_on: "2026-06-01T14:00:01" }, ["scheduled"]],
    [{ scheduled_on: "2026-06-01T13:00", timezone: "UTC" }, ["scheduled"]],
    [{ scheduled_on: "2026-06-01T12:00:00Z", timezone: "Asia/Tokyo" }, []],
    [{ scheduled_on: "whenever" }, []],
    [{ deadline_on: "2027-01-01" }, []],
    [{ someday: true, scheduled_on: "2027-01-01" }, ["parked", "scheduled"]],
  ])("an open issue with metadata %j has the reasons %j not to be ready", (metadata, reasons) => {
    const state = stateOf([issueRow("A", { metadata })]);
    expect(names(state, "A")).toEqual(reasons);
    expect(ready(state, "A")).toBe(reasons.length === 0);
  });
});

describe("the reasons why an issue is not ready", () => {
  test("the reasons follow a blocker to its own blockers, and name the instant a scheduled issue waits for", () => {
    const state = stateOf(
      [issueRow("A"), issueRow("B"), issueRow("C", { metadata: { scheduled_on: "2026-07-01" } })],
      [linkRow("B", "blocks", "A"), linkRow("C", "blocks", "B")],
    );
    const until = "2026-06-30T22:00:00.000Z";
    expect(reasonsOf(state, "A")).toEqual([
      {
        reason: "blocked",
        blockers: [
          {
            uid: "B",
            because: [
              {
                reason: "blocked",
                blockers: [{ uid: "C", because: [{ reason: "scheduled", until }] }],
              },
            ],
          },
        ],
      },
    ]);
  });

  test("the reasons follow a held issue through its parents to the ancestor that holds it", () => {
    const state = stateOf(
      [issueRow("A"), issueRow("B"), issueRow("C", parked)],
      [linkRow("A", "parent", "B"), linkRow("B", "parent", "C")],
    );
    expect(reasonsOf(state, "A")).toEqual([
      {
        reason: "held",
        parent: {
          uid: "B",
          because: [{ reason: "held", parent: { uid: "C", because: [{ reason: "parked" }] } }],
        },
      },
    ]);
  });

  test("the reasons of an issue in a circle of blockers end when they reach this issue again", () => {
    const state = stateOf(
      [issueRow("A"), issueRow("B")],
      [linkRow("A", "blocks", "B"), linkRow("B", "blocks", "A")],
    );
    expect(reasonsOf(state, "A")).toEqual([
      {
        reason: "blocked",
        blockers: [
          { uid: "B", because: [{ reason: "blocked", blockers: [{ uid: "A", because: [] }] }] },
        ],
      },
    ]);
  });

  test("the reasons explain an issue that occurs twice only once, so that a mesh of blockers stays small", () => {
    const layers = 30;
    const issues = [issueRow("A0"), issueRow("B0")];
    const links: LinkRow[] = [];
    for (let layer = 1; layer < layers; layer += 1) {
      issues.push(issueRow(`A${layer}`), issueRow(`B${layer}`));
      for (const from of ["A", "B"]) {
        for (const to of ["A", "B"])
          links.push(linkRow(`${from}${layer}`, "blocks", `${to}${layer - 1}`));
      }
    }
    expect(JSON.stringify(reasonsOf(stateOf(issues, links), "A0")).length).toBeLessThan(10_000);
  });

  test("the reasons name the open children of a container", () => {
    const state = stateOf(
      [issueRow("A"), issueRow("B"), issueRow("C", closed), issueRow("D")],
      [linkRow("B", "parent", "A"), linkRow("C", "parent", "A"), linkRow("D", "parent", "A")],
    );
    expect(reasonsOf(state, "A")).toEqual([{ reason: "open_children", children: ["B", "D"] }]);
  });
});

describe("the readiness columns of an issue", () => {
  test("count only blockers and children that are not deleted and not in an archived project", () => {
    const state = stateOf(
      [
        issueRow("A", closed),
        issueRow("B"),
        issueRow("C", closed),
        issueRow("D", deleted),
        issueRow("E", archived),
      ],
      ["B", "C", "D", "E"].flatMap((uid) => [
        linkRow(uid, "parent", "A"),
        linkRow(uid, "blocks", "A"),
      ]),
      [projectRow(), ARCHIVED],
    );
    expect(derivedOf(state, issueOf(state, "A"), ZONE)).toEqual({
      open_blockers: 1,
      open_children: 1,
      total_children: 2,
      parked: 0,
      held: 0,
      ready_from: null,
    });
  });

  test("are computed even for a circle of parents, which only the log of another daemon can contain", () => {
    const state = stateOf(
      [issueRow("A"), issueRow("B")],
      [linkRow("A", "parent", "B"), linkRow("B", "parent", "A")],
    );
    expect(derivedOf(state, issueOf(state, "A"), ZONE).held).toBe(0);
  });
});
