import { describe, expect, test } from "vitest";
import { failureText } from "../../src/mcp/failure.ts";
import { UnavailableError } from "../../src/shared/answer-errors.ts";

const ADVICE = "the result may be unknown, retry with the same key";

describe("the text of a daemon that does not answer", () => {
  test.each([
    ["has the advice for a tool that writes", true, {}, `; ${ADVICE} — start it`],
    ["has none for a tool that reads", false, {}, " — start it"],
    ["has none when nothing was sent", true, { code: "daemon_api_too_old" }, " — start it"],
  ] as const)("%s", (_what, changes, more, end) => {
    const error = new UnavailableError("no daemon is running", { hint: "start it", ...more });
    expect(failureText(error, undefined, { changes })).toBe(
      `daemon unavailable: no daemon is running${end}`,
    );
  });
});
