import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import type { Reader } from "../../../src/store/types/store.ts";
import { sqliteDatabase } from "../../support/store.ts";
import { log, projectCreated, uid } from "../drafts.ts";

const P = uid(1);

test.each<[string, RegExp, (reader: Reader) => Promise<unknown>]>([
  [
    "whether a project had a bridge",
    / event_bridge \(feed_uid=\? AND type>\? AND type<\?\)/,
    async ({ bridges }) => await bridges.wereIn(P),
  ],
  [
    "which event added a comment",
    / event_issue \(issue_uid=\?\)/,
    async ({ bridges }) => await bridges.addingComment(uid(2), uid(3)),
  ],
])("SQLite reads %s from an index", async (_, index, read) => {
  const { target, open } = await sqliteDatabase();
  const store = await open();
  await log(store, projectCreated(P, "web"));
  const execute = vi.spyOn(SqliteConnection.prototype, "execute");
  await store.read(read);
  const sent = execute.mock.calls.filter(([sql]) => sql.includes("event"));
  execute.mockRestore();
  expect(sent).toHaveLength(1);
  const database = new Database(target.dsn, { readonly: true });
  onTestFinished(() => void database.close());
  for (const [sql, values] of sent) {
    const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
    const details = plan.all(...values).map(({ detail }) => detail);
    expect(details).toEqual([expect.stringMatching(index)]);
  }
});
