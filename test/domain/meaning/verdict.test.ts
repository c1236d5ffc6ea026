import { describe, expect, test } from "vitest";
import {
  type FailedAnswer,
  FIRST_BACKOFF_MS,
  nextBackoff,
  skipReasonOf,
  verdictOf,
  waitAfter,
} from "../../../src/domain/meaning/verdict.ts";

const BACKOFF = { wait: "backoff", ms: 4000 };
const LONGEST = { wait: "longest", ms: 300_000 };

const OTHERS: readonly (readonly [FailedAnswer, object | string])[] = [
  [{ status: 401 }, LONGEST],
  [{ status: 403 }, LONGEST],
  [{ status: 404 }, LONGEST],
  [{ status: 418 }, LONGEST],
  [{ status: 301 }, LONGEST],
  [{ status: 307 }, LONGEST],
  [{ status: 403, retryAfterMs: 2000 }, LONGEST],
  [{ status: 429 }, BACKOFF],
  [
    { status: 429, retryAfterMs: 2000 },
    { wait: "retry_after", ms: 2000 },
  ],
  [{ status: 429, retryAfterMs: 0 }, BACKOFF],
  [
    { status: 429, retryAfterMs: 3_600_000 },
    { wait: "retry_after", ms: 3_600_000 },
  ],
  [
    { status: 429, retryAfterMs: 3_600_001 },
    { wait: "retry_after", ms: 3_600_000 },
  ],
  [{ status: 500 }, BACKOFF],
  [{ status: 503, retryAfterMs: 2000 }, BACKOFF],
  [{ status: 599 }, BACKOFF],
  [{ status: 600 }, LONGEST],
  [{ fault: "transport" }, BACKOFF],
  [{ fault: "timeout" }, BACKOFF],
  [{ fault: "invalid" }, BACKOFF],
  [{ fault: "stopped" }, "stopped"],
];

describe("what follows from an answer of the provider", () => {
  test.each([
    [{ status: 400 }, 64, "probe"],
    [{ status: 400 }, 1, "probe"],
    [{ status: 422 }, 64, "probe"],
    [{ status: 413 }, 64, "halve"],
    [{ status: 413 }, 2, "halve"],
    [{ status: 413 }, 1, "probe"],
    [{ fault: "too_large" }, 64, "halve"],
    [{ fault: "too_large" }, 2, "halve"],
  ] as const)("%j to %i texts: %s", (answer, inputs, verdict) => {
    expect(verdictOf(answer, { backoffMs: 4000, inputs, failures: 1 })).toBe(verdict);
  });

  test.each(OTHERS)("%j: %j", (answer, verdict) => {
    expect(verdictOf(answer, { backoffMs: 4000, inputs: 64, failures: 2 })).toEqual(verdict);
  });
});

test("after an answer to one text that is too large the provider is asked again later", () => {
  const answer = { fault: "too_large" } as const;
  expect(verdictOf(answer, { backoffMs: 4000, inputs: 1, failures: 0 })).toEqual(BACKOFF);
});

test.each([
  [{ status: 500 }, 2, BACKOFF],
  [{ status: 500 }, 3, "probe"],
  [{ status: 503, retryAfterMs: 2000 }, 3, "probe"],
  [{ status: 600 }, 3, LONGEST],
  [{ status: 429 }, 3, BACKOFF],
  [{ fault: "timeout" }, 3, BACKOFF],
] as const)("%j, after %i calls in a row that ended with 5xx: %j", (answer, failures, verdict) => {
  expect(verdictOf(answer, { backoffMs: 4000, inputs: 64, failures })).toEqual(verdict);
});

describe("what follows from a probe with harmless texts", () => {
  test.each([400, 413, 422])("if it is refused with %i too, the request is the cause", (status) => {
    expect(waitAfter({ status }, 4000)).toEqual(LONGEST);
  });

  test.each(OTHERS)("%j says the same as in an answer: %j", (answer, verdict) => {
    expect(waitAfter(answer, 4000)).toEqual(verdict);
  });
});

test.each([
  [400, "refused_400"],
  [413, "refused_413"],
  [422, "refused_422"],
  [500, "failed_500"],
  [501, "failed_501"],
  [502, undefined],
  [503, undefined],
  [504, undefined],
  [505, "failed_505"],
  [401, undefined],
  [600, undefined],
])("an issue whose text is answered with %i is skipped as %s", (status, reason) => {
  expect(skipReasonOf(status)).toBe(reason);
});

test("the wait after a fault doubles up to five minutes", () => {
  const waits = [FIRST_BACKOFF_MS];
  for (let ms = FIRST_BACKOFF_MS; waits.length < 11; waits.push(ms)) ms = nextBackoff(ms);
  expect(waits).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
  ]);
});
