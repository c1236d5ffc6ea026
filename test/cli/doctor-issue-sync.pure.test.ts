import { expect, test } from "vitest";
import { checkIssueSync } from "../../src/cli/doctor-issue-sync.ts";

const NAMES = { project: "board", provider: "github", host: "github.com", display_name: "ann/web" };
const OK = { ...NAMES, result: "ok" as const };
const UNTESTED = { ...NAMES, result: "untested" as const };
const FAILED = {
  ...{ ...NAMES, result: "failed" as const, category: "credentials" },
  ...{ message: "the host answered 401", hint: "renew it" },
};
const TEXT = "board from ann/web at github.com: credentials: the host answered 401";

test.each([
  ["no binding", [], "ok", "no project reads issues from a code host"],
  ["one that is good", [OK], "ok", "1 repository can be read with the daemon's credentials"],
  [
    "some not tested",
    [OK, OK, UNTESTED],
    "ok",
    "2 repositories can be read with the daemon's credentials; 1 not tested, for lack of time",
  ],
  ["none tested", [UNTESTED], "skipped", "unknown: 1 not tested, for lack of time"],
  ["one that fails", [OK, FAILED], "warning", TEXT],
  [
    "one that fails and one not tested",
    [FAILED, UNTESTED],
    "warning",
    `${TEXT}; 1 not tested, for lack of time`,
  ],
  [
    "four that fail, of which three are named",
    [FAILED, FAILED, FAILED, FAILED],
    "warning",
    `${TEXT}; ${TEXT}; ${TEXT}; and 1 more`,
  ],
] as const)(
  "the check of svc doctor on bound repositories ($0) has the status $2 and says: $3",
  (_what, tested, status, summary) => {
    expect(checkIssueSync([...tested])).toMatchObject({ status, summary });
  },
);

test("the check of svc doctor on bound repositories gives the remedy of the first failure, and all results as details", () => {
  const { fix, details } = checkIssueSync([OK, FAILED]);
  expect(fix).toBe("renew it");
  expect(details).toEqual({ tested: [OK, FAILED] });
});
