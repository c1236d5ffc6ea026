import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { PlacedIssue } from "../../src/contract/list-budget.ts";
import type { ReadDeps } from "../../src/ops/deps.ts";
import { answerList } from "../../src/ops/issues/answer-list.ts";
import type { Reader } from "../../src/store/types/store.ts";

const ROWS = 250;

/** Lists 250 issues whose rows have 1,000 bytes each. Returns the answer, and of how many issues rows were made. */
async function listed(max_bytes: number) {
  const stored = Array.from({ length: ROWS }, (_, at) => ({ id: ROWS - at, updated_at: "then" }));
  const reader = {
    issues: { list: async () => stored },
    events: { lastId: async () => 1 },
  } as unknown as Reader;
  const deps = {
    clock: systemClock,
    store: { read: async <T>(work: (reader: Reader) => Promise<T>) => await work(reader) },
  } as unknown as ReadDeps;
  let made = 0;
  const answer = await answerList<PlacedIssue>(
    deps,
    { max_bytes },
    {
      filter: { limit: ROWS },
      order: "recent",
      out: async (_reader, issues) => {
        made += issues.length;
        return issues.map(({ id }) => ({
          id,
          created_at: "then",
          updated_at: "then",
          body: "x".repeat(1000),
        }));
      },
    },
  );
  return { made, answer };
}

test("a list that is cut by the limit of bytes builds rows for its first issues only", async () => {
  const { made, answer } = await listed(20_000);
  expect(made).toBe(100);
  expect(answer).toMatchObject({ truncated: true, count: 18, next_after: `then_${ROWS - 17}` });
  expect(answer.issues).toHaveLength(18);
});

test("a list without a limit of bytes builds the rows of all its issues", async () => {
  const { made, answer } = await listed(0);
  expect(made).toBe(ROWS);
  expect(answer).toMatchObject({ count: ROWS });
  expect(answer).not.toHaveProperty("truncated");
  expect(answer).not.toHaveProperty("next_after");
  expect(answer.issues).toHaveLength(ROWS);
});
