import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { checkEmbeddings, checkIndex } from "../../src/cli/doctor-embeddings.ts";

const BLOCK = { configured: true, embedded: 5, skipped: 0, backlog: 0, error_present: false };
const OK = { result: "ok" as const, ms: 12 };
const START = "2026-01-01T00:00:00.000Z";
const NOW = instantToMs("2026-01-01T00:10:00.000Z");

test.each([
  ["answers", BLOCK, OK, "ok", "the embedding provider embeds a word in 12 ms", undefined],
  [
    "answers while issues are embedded",
    { ...BLOCK, backlog: 3, started_at: START, last_progress_at: "2026-01-01T00:00:00.001Z" },
    OK,
    "ok",
    "the embedding provider embeds a word in 12 ms; 3 issues to embed",
    undefined,
  ],
  [
    "answers, but nothing was embedded since the start",
    { ...BLOCK, backlog: 1, started_at: START },
    OK,
    "warning",
    "no issue was embedded for 10m0s; 1 issue to embed",
    "svc search status says why",
  ],
  [
    "refuses",
    BLOCK,
    { result: "failed" as const, status: 401, reason: "set another key" },
    "warning",
    "the embedding provider answered with status 401",
    "set another key",
  ],
  [
    "is silent",
    { ...BLOCK, backlog: 2 },
    { result: "failed" as const },
    "warning",
    "the embedding provider gave no answer that can be used; 2 issues to embed",
    undefined,
  ],
] as const)(
  "svc doctor reports on a provider that %s",
  (_what, block, tested, status, summary, fix) => {
    const found = checkEmbeddings(block, tested, NOW);
    expect(found).toEqual({
      ...{ status, summary, details: { embeddings: block, tested } },
      ...(fix === undefined ? {} : { fix }),
    });
  },
);

test("svc doctor warns of an index of meanings that cannot be read, and names the cure", () => {
  const shown = { ...BLOCK, error_present: true, error_cure: "free some space" };
  expect(checkIndex(shown)).toBeUndefined();
  const failed = { ...shown, index_failed: true };
  expect(checkIndex(failed)).toEqual({
    status: "warning",
    summary: "the index of meanings cannot be read or written",
    details: { embeddings: failed },
    fix: "free some space",
  });
});
