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
    ["the filter is empty", {}, true],
    ["its project is named", { projects: ["Q", "P"] }, true],
    ["another project is named", { projects: ["Q"] }, false],
    ["the filter leaves no project", { projects: [] }, false],
    ["its kind is named", { types: ["issue.reopened", "issue.closed"] }, true],
    ["another kind is named", { types: ["issue.reopened"] }, false],
    ["its actor is named", { actors: ["bea", "ann"] }, true],
    ["another actor is named", { actors: ["Ann"] }, false],
    ["it is about the issue", { issues }, true],
    ["it names the issue", { issues: { ...issues, uids: ["J"] } }, true],
    ["it is about another issue of the project", { issues: { ...issues, uids: ["K"] } }, false],
    [
      "all conditions match",
      { projects: ["P"], types: ["issue.closed"], actors: ["ann"], issues },
      true,
    ],
    ["one condition does not match", { projects: ["P"], actors: ["bea"], issues }, false],
  ])("when %s", (_when, filter, wanted) => {
    expect(isWanted(filter, closed)).toBe(wanted);
  });

  test.each([
    ["project.removed", true],
    ["project.restored", true],
    ["project.author_rewritten", true],
    ["project.merged", true],
    ["project.renamed", false],
    ["project.metadata_updated", false],
  ])("by an issue, if the event is %s of the issue's project: %s", (type, wanted) => {
    const event = { type, actor: "ann", project_uid: "P" };
    expect(isWanted({ issues }, event)).toBe(wanted);
    expect(isWanted({ issues }, { ...event, project_uid: "Q" })).toBe(false);
  });

  test("by an issue, if the issue's project is merged into another", () => {
    const event = { type: "project.merged", actor: "ann", project_uid: "Q", merged_uid: "P" };
    expect(isWanted({ issues }, event)).toBe(true);
    expect(isWanted({ issues }, { ...event, merged_uid: "R" })).toBe(false);
  });
});

describe("a filter by an issue follows it", () => {
  const moved = { ...closed, type: "issue.moved", project_uid: "Q" };

  test("into the project that it moves to, and into no other", () => {
    expect(followed({ issues }, moved)).toEqual({ issues: { uids: ["I"], projects: ["P", "Q"] } });
    const other = { ...moved, issue_uid: "K" };
    const same = { issues };
    expect(followed(same, other)).toBe(same);
    expect(followed(same, closed)).toBe(same);
  });

  test("into the project into which its project is merged", () => {
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
])("the kinds that %s selects", (text, kinds) => {
  expect(kindsNamed(text)).toEqual(kinds);
});

test("a group has all kinds with its prefix and no other", () => {
  const kinds = kindsNamed("issue.*");
  expect(kinds).toContain("issue.created");
  expect(kinds.length).toBeGreaterThan(15);
  expect(kinds.every((kind) => kind.startsWith("issue."))).toBe(true);
});
