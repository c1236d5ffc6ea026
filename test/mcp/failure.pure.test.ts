import { describe, expect, test } from "vitest";
import { ERRORS, type ErrorCode, type ErrorEntry } from "../../src/contract/error-codes.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { failureText } from "../../src/mcp/failure.ts";
import { UnavailableError } from "../../src/shared/answer-errors.ts";

const COMMAND = /\bsvc | --/;
const CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** The codes with a hint for the command line that no route of a tool answers with. */
const NEVER_OF_TOOLS: readonly ErrorCode[] = [
  "undo_too_large",
  "project_not_initialized",
  "import_not_found",
  "alias_not_found",
  "project_binding_conflict",
  "project_alias_conflict",
  "login_invalid",
  "origin_forbidden",
  "web_local_operation_forbidden",
  "ui_unavailable",
  "federation_hub_refused",
  "federation_replica_stale",
];

describe("the text of a refusal", () => {
  const textOf = (code: ErrorCode) =>
    failureText(new SvcError(code), undefined, { changes: true }) ?? "";

  test.each(CODES)("the text of the refusal %s names no command and no flag", (code) => {
    expect(textOf(code)).toMatch(new RegExp(`^\\d{3} ${code}: `));
    expect(textOf(code)).not.toMatch(COMMAND);
  });

  test.each(
    CODES.filter((code) => COMMAND.test(` ${hintOf(code)}`) && !NEVER_OF_TOOLS.includes(code)),
  )("the text of the refusal %s says what a caller of tools can do instead", (code) => {
    expect(textOf(code)).toContain(" — ");
  });

  test.each([undefined, new Set(["web"])])(
    "says of a change with an unknown outcome that it may have been made, and what to do",
    (inReach) => {
      const lost = new SvcError("outcome_unknown", { candidates: ["other#abcd"] });
      const text = failureText(lost, inReach, { changes: true });
      expect(text).toBe(
        "503 outcome_unknown: it is not known whether the change was made — look whether it was made before you repeat it; with an idempotency key, send it again with the same key",
      );
    },
  );

  test("keeps a hint that names no command or flag, and drops one that does", () => {
    const said = (hint: string) =>
      failureText(new SvcError("conflict", {}, { hint }), undefined, { changes: true });
    const refusal = "409 conflict: conflicts with the current state";
    expect(textOf("issue_not_found")).toBe(
      "404 issue_not_found: no such issue — svc.search and svc.list find issues",
    );
    expect(said("read it again")).toBe(`${refusal} — read it again`);
    expect(said("read it again: svc cron job show")).toBe(refusal);
    expect(said("--force replaces it")).toBe(refusal);
    expect(said("replace it (--force)")).toBe(refusal);
  });
});

function hintOf(code: ErrorCode): string {
  const entry: ErrorEntry = ERRORS[code];
  return entry.hint ?? "";
}

const ADVICE = "the result may be unknown, retry with the same key";

describe("the text of an error when the daemon does not answer", () => {
  test.each([
    ["has the advice for a tool that writes", true, {}, `; ${ADVICE} — start it`],
    ["has none for a tool that reads", false, {}, " — start it"],
    ["has none when nothing was sent", true, { code: "daemon_api_too_old" }, " — start it"],
    ["names no command", false, { hint: "start it with svc daemon start" }, ""],
  ] as const)("as to the advice to retry, the text %s", (_what, changes, more, end) => {
    const error = new UnavailableError("no daemon is running", { hint: "start it", ...more });
    expect(failureText(error, undefined, { changes })).toBe(
      `daemon unavailable: no daemon is running${end}`,
    );
  });
});
