import { describe, expect, test } from "vitest";
import {
  type EventFields,
  type EventFilter,
  followed,
  isWanted,
  kindsNamed,
} from "../../src/domain/event-filter.ts";

const closed: EventFields = {
  type: "issue.closed",
  actor: "ann",
  project_uid: "P",
  issue_uid: "I",
  related_issue_uid: "J",
};
const issues = { uids: ["I"], projects: ["P"] };

describe("whether an event matches a filter", () => {
  test.each<[string, EventFilter, boolean]>([
    ["an empty filter matches", {}, true],
    [
      "a filter by several projects matches an event of one of them",
      { projects: ["Q", "P"] },
      true,
    ],
    ["a filter by another project does not match", { projects: ["Q"] }, false],
    ["a filter by no project matches no event", { projects: [] }, false],
    [
      "a filter by several kinds matches an event of one of them",
      { types: ["issue.reopened", "issue.closed"] },
      true,
    ],
    ["a filter by another kind does not match", { types: ["issue.reopened"] }, false],
    [
      "a filter by several actors matches an event by one of them",
      { actors: ["bea", "ann"] },
      true,
    ],
    ["a filter by an actor of another spelling does not match", { actors: ["Ann"] }, false],
    ["a filter by an issue matches an event about it", { issues }, true],
    [
      "a filter by an issue matches an event that names it",
      { issues: { ...issues, uids: ["J"] } },
      true,
    ],
    [
      "a filter by an issue does not match an event about another issue of the project",
      { issues: { ...issues, uids: ["K"] } },
      false,
    ],
    [
      "a filter with several conditions matches if all of them match",
      { projects: ["P"], types: ["issue.closed"], actors: ["ann"], issues },
      true,
    ],
    [
      "a filter with several conditions does not match if one of them does not",
      { projects: ["P"], actors: ["bea"], issues },
      false,
    ],
  ])("%s", (_when, filter, wanted) => {
    expect(isWanted(filter, closed)).toBe(wanted);
  });

  test.each([
    ["project.removed", true],
    ["project.restored", true],
    ["project.author_rewritten", true],
    ["project.merged", true],
    ["project.renamed", false],
    ["project.metadata_updated", false],
  ])("a filter by an issue matches %s of the issue's project: %s", (type, wanted) => {
    const event = { type, actor: "ann", project_uid: "P" };
    expect(isWanted({ issues }, event)).toBe(wanted);
    expect(isWanted({ issues }, { ...event, project_uid: "Q" })).toBe(false);
  });

  test("a filter by an issue matches the merge of the issue's project into another", () => {
    const event = { type: "project.merged", actor: "ann", project_uid: "Q", merged_uid: "P" };
    expect(isWanted({ issues }, event)).toBe(true);
    expect(isWanted({ issues }, { ...event, merged_uid: "R" })).toBe(false);
  });
});

describe("a filter by an issue follows it", () => {
  const moved = { ...closed, type: "issue.moved", project_uid: "Q" };

  test("a filter by an issue follows the issue into the project that it moves to, and into no other", () => {
    expect(followed({ issues }, moved)).toEqual({ issues: { uids: ["I"], projects: ["P", "Q"] } });
    const other = { ...moved, issue_uid: "K" };
    const same = { issues };
    expect(followed(same, other)).toBe(same);
    expect(followed(same, closed)).toBe(same);
  });

  test("a filter by an issue follows the issue into the project into which its project is merged", () => {
    const merged = { type: "project.merged", actor: "ann", project_uid: "Q", merged_uid: "P" };
    expect(followed({ issues }, merged).issues?.projects).toEqual(["P", "Q"]);
    const filter = { projects: ["P"] };
    expect(followed(filter, merged)).toBe(filter);
  });
});

test.each([
  ["issue.closed", ["issue.closed"]],
  ["close.*", ["close.throttled"]],
  ["issue", []],
  ["*", []],
  [".*", []],
  ["issue.nonsense", []],
  ["issue.*.closed", []],
])("the pattern %s selects the kinds %j", (text, kinds) => {
  expect(kindsNamed(text)).toEqual(kinds);
});

test("the pattern of a group selects all kinds with its prefix and no other", () => {
  const kinds = kindsNamed("issue.*");
  expect(kinds).toContain("issue.created");
  expect(kinds.length).toBeGreaterThan(15);
  expect(kinds.every((kind) => kind.startsWith("issue."))).toBe(true);
});
