import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { sqliteDatabase } from "../../support/store.ts";
import { log, projectCreated, uid } from "../drafts.ts";

const P = uid(1);
const SPAN = { since: "2026-01-01T00:00:00.000Z", until: "2027-01-01T00:00:00.000Z" };

test.each([
  ["in every project", SPAN],
  ["in one project", { ...SPAN, project_uid: P }],
])("SQLite reads what somebody wrote from two indexes by time, %s", async (_name, span) => {
  const { target, open } = await sqliteDatabase();
  const store = await open();
  await log(store, projectCreated(P, "web"));
  const execute = vi.spyOn(SqliteConnection.prototype, "execute");
  await store.read(async ({ past }) => {
    await past.by("ann", span, 9);
    await past.timeOf("ann", span, 9);
  });
  const sent = execute.mock.calls.filter(([sql]) => sql.includes("local_actor"));
  execute.mockRestore();
  expect(sent).toHaveLength(2);
  const database = new Database(target.dsn, { readonly: true });
  onTestFinished(() => void database.close());
  for (const [sql, values] of sent) {
    const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
    const details = plan.all(...values).map(({ detail }) => detail);
    expect(details.filter((detail) => /^(SEARCH|SCAN) /.test(detail))).toEqual([
      expect.stringMatching(/ event_actor_time \(actor=\? AND created_at>\? AND created_at<\?\)/),
      expect.stringMatching(
        / event_local_actor_time \(local_actor=\? AND created_at>\? AND created_at<\?\)/,
      ),
    ]);
    expect(details.filter((detail) => detail.includes("TEMP B-TREE"))).toEqual([]);
  }
});

test("SQLite reads the changes of an issue from its own events and from those that name it, in order", async () => {
  const { target, open } = await sqliteDatabase();
  const store = await open();
  await log(store, projectCreated(P, "web"));
  const execute = vi.spyOn(SqliteConnection.prototype, "execute");
  await store.read(async ({ events }) => {
    await events.settingsOf(uid(2), "first", 9);
    await events.settingsOf(uid(2), "last", 9);
  });
  const sent = execute.mock.calls.filter(([sql]) => sql.includes("related_issue_uid"));
  execute.mockRestore();
  expect(sent).toHaveLength(2);
  const database = new Database(target.dsn, { readonly: true });
  onTestFinished(() => void database.close());
  for (const [sql, values] of sent) {
    const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
    const details = plan.all(...values).map(({ detail }) => detail);
    expect(details.filter((detail) => /^(SEARCH|SCAN) /.test(detail))).toEqual([
      expect.stringMatching(/ event_issue \(issue_uid=\?\)/),
      expect.stringMatching(/ event_related \(related_issue_uid=\?\)/),
    ]);
    expect(details.filter((detail) => detail.includes("TEMP B-TREE"))).toEqual([]);
  }
});
