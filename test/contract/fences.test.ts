import { expect, test } from "vitest";
import { ROUTES } from "../../src/contract/index.ts";

const GATE = [
  "addLabel",
  "assignIssue",
  "claimIssue",
  "clearIssueRequest",
  "closeIssue",
  "createComment",
  "createLink",
  "deleteIssue",
  "deleteLink",
  "editComment",
  "editIssue",
  "moveIssue",
  "notifyIssue",
  "patchIssueMetadata",
  "purgeIssue",
  "removeLabel",
  "reopenIssue",
  "restoreIssue",
  "setIssuePriority",
  "unassignIssue",
];

const ACTION = [
  "acquireIssueLease",
  "forceReleaseIssueLease",
  "releaseIssueLease",
  "renewIssueLease",
];

const idsOf = (check: string) =>
  ROUTES.filter(({ fenced }) => fenced === check)
    .map(({ id }) => id)
    .toSorted();

test("only changes of one issue and actions on its lease accept a fence", () => {
  expect(idsOf("gate")).toEqual(GATE);
  expect(idsOf("action")).toEqual(ACTION);
});

test("every route that writes to the issue in its path declares how it checks a fence", () => {
  const toOneIssue = ROUTES.filter(
    ({ access, path }) => access === "write" && path.includes("/issues/{ref}"),
  );
  const fenced = ROUTES.filter((route) => route.fenced !== undefined);
  expect(toOneIssue.map(({ id }) => id)).toEqual(fenced.map(({ id }) => id));
});

test("a route that accepts a fence lists the error codes with which it refuses one", () => {
  for (const { id, fenced, errors } of ROUTES) {
    if (fenced === undefined) continue;
    const codes = ["claim_expired", "claim_not_held", "fence_stale"];
    if (fenced === "gate") codes.push("claim_denied");
    expect(
      codes.filter((code) => !(errors as readonly string[]).includes(code)),
      id,
    ).toEqual([]);
  }
});
