import { describe, expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import {
  type CloseReason,
  checkClose,
  type Evidence,
  normalizeMessage,
} from "../../src/domain/close.ts";

const LONG = "x".repeat(60);
const COMMIT = { type: "commit", sha: "0123abc" };
const PATHS = { type: "reviewed-paths", paths: ["src"] };
const AUDIT = { type: "no-change-audit", rationale: "as designed" };
const DUPLICATE = { type: "duplicate-of", issue_ref: "ab3d" };
const SUPERSEDED = { type: "superseded-by", issue_ref: "ab3d" };

function refusal(
  reason: CloseReason,
  message: string,
  evidence: readonly Evidence[],
): string | undefined {
  try {
    checkClose(reason, message, evidence);
    return undefined;
  } catch (error) {
    if (error instanceof SvcError && error.code === "validation")
      return String(error.data["field"]);
    throw error;
  }
}

describe("the message of a close", () => {
  test.each([
    ["done", 40, [COMMIT]],
    ["wontfix", 60, []],
    ["duplicate", 20, [DUPLICATE]],
    ["superseded", 20, [SUPERSEDED]],
    ["audit-no-change", 40, [AUDIT]],
  ] as const)(
    "a close as %s needs a message of at least %i code points",
    (reason, floor, evidence) => {
      expect(refusal(reason, "😀".repeat(floor), evidence)).toBeUndefined();
      expect(refusal(reason, "😀".repeat(floor - 1), evidence)).toBe("message");
    },
  );

  test("is counted with white space folded and without marks at its end", () => {
    expect(normalizeMessage("  Two \n\t Words ?!. ")).toBe("two words");
    expect(refusal("duplicate", `${"x".repeat(19)}!!!!`, [DUPLICATE])).toBe("message");
    expect(refusal("duplicate", `a${" ".repeat(30)}b`, [DUPLICATE])).toBe("message");
  });

  test.each(["done", "Fixed.", "n/a", "NOPE!!"])("the message %j counts as empty", (message) => {
    expect(refusal("done", message, [COMMIT])).toBe("message");
  });
});

describe("the evidence of a close", () => {
  test.each<[CloseReason, readonly Evidence[], string | undefined]>([
    ["done", [COMMIT], undefined],
    ["done", [COMMIT, PATHS, { type: "external", account: "called them" }], undefined],
    ["done", [], "evidence"],
    ["done", [AUDIT], "evidence"],
    ["done", [COMMIT, DUPLICATE], "evidence"],
    ["wontfix", [], undefined],
    ["wontfix", [COMMIT], "evidence"],
    ["duplicate", [DUPLICATE], undefined],
    ["duplicate", [], "evidence"],
    ["duplicate", [DUPLICATE, DUPLICATE], "evidence"],
    ["duplicate", [SUPERSEDED], "evidence"],
    ["superseded", [SUPERSEDED], undefined],
    ["superseded", [DUPLICATE], "evidence"],
    ["audit-no-change", [AUDIT], undefined],
    ["audit-no-change", [AUDIT, PATHS, PATHS], undefined],
    ["audit-no-change", [AUDIT, AUDIT], "evidence"],
    ["audit-no-change", [PATHS], "evidence"],
    ["audit-no-change", [AUDIT, COMMIT], "evidence"],
  ])("the evidence of a close as %s is checked: %j", (reason, evidence, expected) => {
    expect(refusal(reason, LONG, evidence)).toBe(expected);
  });

  test.each<[Evidence, boolean]>([
    [{ type: "commit", sha: "0123abc" }, true],
    [{ type: "commit", sha: "0123ab" }, false],
    [{ type: "commit", sha: "A".repeat(40) }, true],
    [{ type: "commit", sha: "a".repeat(41) }, false],
    [{ type: "commit", sha: "0123abg" }, false],
    [{ type: "commit" }, false],
    [{ type: "commit", sha: "0123abc", url: "https://x.y" }, false],
    [{ type: "pr", url: "https://example.org/pull/1" }, true],
    [{ type: "pr", url: "http://example.org" }, true],
    [{ type: "pr", url: "ftp://example.org" }, false],
    [{ type: "pr", url: "https://" }, false],
    [{ type: "pr", url: "example.org/1" }, false],
    [{ type: "test", command: "npm test" }, true],
    [{ type: "test", command: " " }, false],
    [{ type: "reviewed-paths", paths: ["a", "b"] }, true],
    [{ type: "reviewed-paths", paths: [] }, false],
    [{ type: "reviewed-paths", paths: [""] }, false],
    [{ type: "reviewed-paths", paths: "a" }, false],
    [{ type: "external", account: "the supplier replaced it" }, true],
    [{ type: "external", account: "" }, false],
    [{ type: "screenshot", path: "a.png" }, false],
    [{ type: "toString", path: "a.png" }, false],
  ])("%j is accepted: %s", (item, accepted) => {
    expect(refusal("done", LONG, [item])).toBe(accepted ? undefined : "evidence");
  });
});
