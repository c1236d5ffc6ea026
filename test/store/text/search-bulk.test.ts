import { Client } from "pg";
import { afterEach, expect, test, vi } from "vitest";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { PostgresConnection } from "../../../src/store/postgres/connection.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { describeStore, type TestDatabase } from "../../support/store.ts";
import { created, deleted, log, projectCreated, uid } from "../drafts.ts";

const P = uid(1);
const FIRST = 10_000;
const TIMEOUT_MS = 120_000;

afterEach(() => vi.restoreAllMocks());

interface Ran {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly rows: number;
}

/** Returns the statements that `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly Ran[]> {
  const ran: Ran[] = [];
  for (const { prototype } of [SqliteConnection, PostgresConnection]) {
    const { execute } = prototype;
    vi.spyOn(prototype, "execute").mockImplementation(async function (
      this: SqliteConnection & PostgresConnection,
      sql,
      values,
    ) {
      const result = await execute.call(this, sql, values);
      ran.push({ sql, values, rows: result.rows.length });
      return result;
    } as typeof execute);
  }
  await work();
  vi.restoreAllMocks();
  return ran;
}

interface Plan {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Plan[];
}

async function query<Row extends object>(
  { dsn, schema = "" }: TestDatabase["target"],
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client(dsn);
  await client.connect();
  await client.query("select set_config('search_path', $1, false)", [schema]);
  const { rows } = await client.query<Row>(text, [...values]);
  await client.end();
  return rows;
}

/** Returns how many rows of the full-text index PostgreSQL reads for the statement. */
async function rowsRead(target: TestDatabase["target"], { sql, values }: Ran): Promise<number> {
  const rows = await query<{ "QUERY PLAN": readonly { readonly Plan: Plan }[] }>(
    target,
    `explain (analyze, format json) ${sql}`,
    values,
  );
  const read = (plan: Plan): number => {
    const inside = (plan.Plans ?? []).reduce((sum, one) => sum + read(one), 0);
    if (plan["Relation Name"] !== "issue_text") return inside;
    const removed = [plan["Rows Removed by Filter"], plan["Rows Removed by Index Recheck"]];
    const each = removed.reduce<number>((sum, one = 0) => sum + one, plan["Actual Rows"]);
    return inside + each * plan["Actual Loops"];
  };
  return rows.reduce((sum, row) => sum + read(row["QUERY PLAN"][0]?.Plan ?? never()), 0);
}

function never(): never {
  throw new Error("explain answers with a plan");
}

describeStore("search among thousands of issues", (open) => {
  const search = async (store: AdminStore, text: string, limit = 5) =>
    await store.read(
      async (reader) =>
        await reader.search.lexical({
          project_uid: P,
          text,
          limit,
          include_deleted: false,
          labels: [],
          exclude_labels: [],
        }),
    );
  const found = async (store: AdminStore, text: string) =>
    (await search(store, text)).map(({ issue }) => Number(issue.uid.slice(-5)) - FIRST);
  const seeded = async (database: TestDatabase, count: number, body: (at: number) => string) => {
    const store = await database.open();
    const many = Array.from({ length: count }, (_, at) =>
      created(P, uid(FIRST + at), { title: `n${at}`, body: body(at) }),
    );
    await log(store, projectCreated(P, "web"), ...many);
    return store;
  };

  test(
    "finds the newest issues with a word, however it is spread over old and new ones",
    async () => {
      const body = (at: number) =>
        [
          "all",
          at < 4000 ? "legacy" : "recent",
          at % 1000 === 7 ? "rare" : "other",
          at % 20 === 0 ? "often" : "other",
          at === 3 ? "oldest" : "other",
          at < 40 || at > 5980 ? "ends" : "other",
        ].join(" ");
      const store = await seeded(await open.database(), 6000, body);
      expect(await found(store, "all")).toEqual([5999, 5998, 5997, 5996, 5995]);
      expect(await found(store, "legacy")).toEqual([3999, 3998, 3997, 3996, 3995]);
      expect(await found(store, "often")).toEqual([5980, 5960, 5940, 5920, 5900]);
      expect(await found(store, "rare")).toEqual([7, 1007, 2007, 3007, 4007]);
      expect(await found(store, "oldest legacy all")).toEqual([3]);
      expect(await found(store, "legacy ends")).toEqual([0, 1, 2, 3, 4]);
      expect((await found(store, "legacy rare")).slice(0, 4)).toEqual([7, 1007, 2007, 3007]);
    },
    TIMEOUT_MS,
  );

  test(
    "finds an older issue behind thousands of deleted ones with the same words",
    async () => {
      const store = await seeded(await open.database(), 2600, () => "common ground");
      const gone = Array.from({ length: 2500 }, (_, at) => deleted(P, uid(FIRST + 100 + at)));
      await log(store, ...gone);
      expect(await found(store, "common ground")).toEqual([0, 1, 2, 3, 4]);
    },
    TIMEOUT_MS,
  );

  test(
    "finds the typed words while the index is rebuilt after an upgrade",
    async () => {
      const database = await open.database();
      const store = await seeded(database, 3200, () => "common ground");
      if (open.dialect === "postgres") {
        const blocks = `select array_agg(format('#b%sx%s', size, block))
          from unnest('{1024,8192,65536,524288}'::int[]) as size, generate_series(0, 3) as block`;
        await query(
          database.target,
          `update issue_text set words = ts_delete(words, blocks) from (${blocks}) as b (blocks)`,
        );
        await query(
          database.target,
          "insert into meta (key, value) values ('texts', '0'), ('texts_outdated', '1')",
        );
      }
      expect(await found(store, "common ground")).toEqual([3199, 3198, 3197, 3196, 3195]);
    },
    TIMEOUT_MS,
  );

  test(
    "reads a bounded part of the index for the most common words, in a bounded number of statements, even after a purge",
    async () => {
      const words = "all of these words are in each single issue without exception here";
      const database = await open.database();
      const store = await seeded(database, 6000, () => words);
      const ran = await statementsOf(async () => await search(store, words));
      expect(ran.length).toBeLessThanOrEqual(30);
      // Ten lists of 250 ids, 2,000 issues with all words and their titles, and the rows that are shown.
      expect(ran.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(7000);
      if (open.dialect === "sqlite") return;
      const read = async (statements: readonly Ran[]) => {
        let rows = 0;
        for (const one of statements.filter(({ sql }) => sql.includes("words @@")))
          rows += await rowsRead(database.target, one);
        return rows;
      };
      // The newest two blocks for each of the words and for all words together, and 3,073 rows more for the latter.
      const most = 12 * 2048 + 3073;
      const before = await read(ran);
      expect(before).toBeGreaterThan(6000);
      expect(before).toBeLessThanOrEqual(most);

      await store.write(async (tx) => {
        const issue = await tx.issues.find(uid(FIRST));
        if (issue !== undefined) await tx.purgeIssue(issue, { actor: "ann", reason: null });
      });
      const purged = await read(await statementsOf(async () => await search(store, words)));
      expect(purged).toBeGreaterThan(6000);
      expect(purged).toBeLessThanOrEqual(most);
    },
    TIMEOUT_MS,
  );
});
