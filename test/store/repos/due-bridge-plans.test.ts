import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import type { Value } from "../../../src/store/connection.ts";
import { PostgresConnection } from "../../../src/store/postgres/connection.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import type { Reader } from "../../../src/store/types/store.ts";
import { describePostgres, sqliteDatabase } from "../../support/store.ts";
import { log, projectCreated, uid } from "../drafts.ts";

const TIMES = {
  asOf: "2026-03-01T12:00:00.000Z",
  latest: "2026-03-01T12:30:00.000Z",
  freshFrom: "2026-03-01T11:55:00.000Z",
  freshTo: "2026-03-01T12:05:00.000Z",
};

const READS: readonly [string, string, (reader: Reader) => Promise<unknown>][] = [
  [
    "the bridges that are due",
    "bridge_due",
    async ({ bridges }) => await bridges.due({ ...TIMES, without: ["a"], limit: 100 }),
  ],
  [
    "the due bridges of issues",
    "bridge_of_issue",
    async ({ bridges }) => await bridges.dueOfIssues([uid(2), uid(3)], TIMES),
  ],
  [
    "the bridges of issues",
    "bridge_of_issue",
    async ({ bridges }) => await bridges.enabledOf([uid(2), uid(3)]),
  ],
];

/** As the connection passes lists to SQLite. */
const bound = (value: Value): unknown => (Array.isArray(value) ? JSON.stringify(value) : value);

type Sent = readonly (readonly [string, readonly Value[]])[];

const isOfBridges = ([sql]: readonly [string, ...unknown[]]) =>
  sql.includes("external_root_binding b");

test.each(READS)("SQLite reads %s by the index %s", async (_, index, read) => {
  const { target, open } = await sqliteDatabase();
  const store = await open();
  await log(store, projectCreated(uid(1), "web"));
  const execute = vi.spyOn(SqliteConnection.prototype, "execute");
  await store.read(read);
  const sent = ([...execute.mock.calls] as unknown as Sent).filter(isOfBridges);
  execute.mockRestore();
  expect(sent).toHaveLength(index === "bridge_due" ? 2 : 1);
  const database = new Database(target.dsn, { readonly: true });
  onTestFinished(() => void database.close());
  for (const [sql, values] of sent) {
    const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
    const details = plan.all(...values.map(bound)).map(({ detail }) => detail);
    expect(details[0]).toMatch(new RegExp(`^SEARCH b USING INDEX ${index} `));
    expect(details.filter((detail) => /^SCAN (?!json_each)|TEMP B-TREE/.test(detail))).toEqual([]);
  }
});

describePostgres("PostgreSQL", (open) => {
  // Of an empty table it reads the bridges of issues by either index.
  test.each(READS.slice(0, 2))("reads %s by the index %s", async (_, index, read) => {
    const { target, open: openDatabase } = await open.database();
    const store = await openDatabase();
    await log(store, projectCreated(uid(1), "web"));
    const execute = vi.spyOn(PostgresConnection.prototype, "execute");
    await store.read(read);
    const sent = ([...execute.mock.calls] as unknown as Sent).filter(isOfBridges);
    execute.mockRestore();
    expect(sent).toHaveLength(index === "bridge_due" ? 2 : 1);
    const backend = await openPostgres({ schema: "svc", ...target, clock: systemClock });
    onTestFinished(async () => await backend.close());
    const connection = await backend.writer();
    // The tables of a test are so small that PostgreSQL would read them whole.
    await connection.execute("set enable_seqscan = off", []);
    for (const [sql, values] of sent) {
      const { rows } = await connection.execute(`explain ${sql}`, values);
      const plan = JSON.stringify(rows);
      expect(plan).toContain(`using ${index} on external_root_binding b`);
      expect(plan).not.toContain("Seq Scan");
      if (index === "bridge_due") expect(plan).not.toMatch(/"\s*(->)?\s*Sort /);
    }
  });
});
