import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { sqliteDatabase } from "../../support/store.ts";
import { log, projectCreated, uid } from "../drafts.ts";

const P = uid(1);

test.each([
  ["all issues", "issue", {}],
  ["parent", "parent", {}],
  ["job", "job", {}],
  ["actor", "actor", {}],
  ["day", "day", {}],
  ["workflow", "workflow", {}],
  ["teammate", "teammate", {}],
  ["executor", "executor", {}],
  ["one issue", "issue", { issue_uid: uid(2) }],
] as const)("SQLite reports runs by %s from an index alone", async (_name, by, wanted) => {
  const { target, open } = await sqliteDatabase();
  const store = await open();
  await log(store, projectCreated(P, "web"));
  const execute = vi.spyOn(SqliteConnection.prototype, "execute");
  await store.read(async ({ runs }) => await runs.report(P, by, wanted));
  const sent = execute.mock.calls.filter(([sql]) => sql.includes("cron_runs"));
  execute.mockRestore();
  expect(sent).toHaveLength(1);
  const database = new Database(target.dsn, { readonly: true });
  onTestFinished(() => void database.close());
  for (const [sql, values] of sent) {
    const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
    const reads = plan.all(...values).filter(({ detail }) => detail.includes("cron_runs"));
    expect(reads).toHaveLength(1);
    expect(reads[0]?.detail).toMatch(/^SEARCH cron_runs USING COVERING INDEX/);
  }
});
