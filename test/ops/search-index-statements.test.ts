import { afterEach, expect, test, vi } from "vitest";
import { importIssues } from "../../src/contract/imports.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { searchIssues } from "../../src/contract/search.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const ISSUES = 5000;
const TIMEOUT_MS = 120_000;

afterEach(() => vi.restoreAllMocks());

interface Ran {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Returns the statements with which `work` writes the index of words. */
async function indexWrites(work: () => Promise<unknown>): Promise<readonly Ran[]> {
  const spies = [SqliteConnection, PostgresConnection].map(({ prototype }) =>
    vi.spyOn(prototype, "execute"),
  );
  await work();
  const calls = spies.flatMap((spy) => spy.mock.calls);
  vi.restoreAllMocks();
  return calls
    .map(([sql, values]) => ({ sql, values }))
    .filter(({ sql }) => /^insert.* (?:issue_text|text_word) /.test(sql));
}

function wordsIn(ran: readonly Ran[]): number {
  return ran
    .filter(({ sql }) => sql.includes("text_word"))
    .reduce((sum, { values: [words] }) => sum + (Array.isArray(words) ? words.length : 0), 0);
}

describeStore("the full-text index", (open) => {
  test(
    "stores the rows and words of 5,000 imported issues with one statement for every 500 issues",
    async () => {
      const w = await world({ store: open });
      const { path: params } = await w.given.project("shop");
      const items = Array.from({ length: ISSUES }, (_, at) => ({
        external_id: `old-${at}`,
        title: `RoutingTable ${at} of the gateway`,
        body: `it drops word${at % 50} twice, word${at % 50} and データ`,
        author: "ann",
        status: "open" as const,
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:00:00Z",
      }));
      const ran = await indexWrites(async () => {
        await w.call(importIssues, { params, body: { source: "beads", items } });
      });
      const texts = ran.filter(({ sql }) => sql.includes("issue_text"));
      expect(texts.length).toBeLessThanOrEqual(ISSUES / (open.dialect === "sqlite" ? 500 : 50));
      expect(ran.length - texts.length).toBeLessThanOrEqual(ISSUES / 500);
      // Each slice adds its 50 words and the dozen words that all issues have.
      expect(wordsIn(ran)).toBeLessThanOrEqual((70 * ISSUES) / 500);
    },
    TIMEOUT_MS,
  );

  test(
    "stores one row and a bounded number of words for a text of one mebibyte, and finds the text",
    async () => {
      const w = await world({ store: open });
      const { path: params } = await w.given.project("shop");
      const data = Array.from({ length: 100_000 }, (_, at) => `Ab${at.toString(36)}Cd`).join(" ");
      const body = { title: "a dump", body: `parser ${data}`, actor: "ann" };
      const ran = await indexWrites(async () => {
        await w.call(createIssue, { params, body });
      });
      expect(ran.length).toBe(2);
      expect(wordsIn(ran)).toBeLessThanOrEqual(5000);
      const { results } = await w.call(searchIssues, { params, query: { q: "parsers dump" } });
      expect(results.map(({ matched }) => matched)).toEqual(["forms"]);
    },
    TIMEOUT_MS,
  );
});
