import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import type { IssueFilter, ListOrder, PageFilter } from "../../../src/store/types/issues.ts";
import type { Reader, Store } from "../../../src/store/types/store.ts";
import { sqliteDatabase } from "../../support/store.ts";
import { created, linksChanged, log, projectCreated, uid } from "../drafts.ts";

const [P, PARENT] = [uid(1), uid(100)];

const cases: readonly (readonly [IssueFilter, ListOrder])[] = (
  ["recent", "created"] as const
).flatMap((order) =>
  [
    { parent_uid: PARENT },
    { author: "bea" },
    { blocked: true },
    { changed_since: "2026-06-01T00:00:00.000Z" },
  ].flatMap((filter) => [
    [{ ...filter, project_uid: P }, order] as const,
    [{ ...filter, project_uid: P, status: "open" as const, limit: 50 }, order] as const,
    ...(order === "created" ? [[filter, order] as const] : []),
  ]),
);

/** The index of blocked issues contains only blocked issues. */
const NARROW = /\(uid=\?\)|issue_author|issue_blocked|updated_at>\?/;

test("SQLite answers lists by parent, author, blockers and time of change from indexes", async () => {
  const { target, open } = await sqliteDatabase();
  const store = await open();
  await log(store, projectCreated(P, "web"), created(P, PARENT), created(P, uid(101)));
  await log(store, linksChanged(P, uid(101), { parent_set_uid: PARENT }));
  const database = new Database(target.dsn, { readonly: true });
  onTestFinished(() => void database.close());
  for (const [filter, order] of cases) {
    for (const { sql, values } of await statementsOf(store, filter, order)) {
      const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
      const reads = plan.all(...values).map(({ detail }) => detail);
      const ofIssues = reads.filter((detail) => /^(SCAN|SEARCH) (issue|i) /.test(detail));
      const wide = ofIssues.filter((detail) => !NARROW.test(detail));
      expect(wide, `${JSON.stringify(filter)} ${order}: ${sql}`).toEqual([]);
    }
  }
});

/** More issues than are fetched and sorted. */
const MANY = 2001;

test.each([
  [{ author: "bea" }],
  [{ owner: "bea" }],
  [{ unowned: true }],
  [{ priority: 1 }],
  [{ max_priority: 1 }],
] as const)(
  "SQLite needs no sort for a page of issues that match a common filter (%j)",
  async (filter) => {
    const { target, open } = await sqliteDatabase();
    const store = await open();
    const owned = "owner" in filter ? { owner: "bea" } : {};
    const many = Array.from({ length: MANY }, (_, at) =>
      created(P, uid(100 + at), { author: "bea", priority: 1, ...owned }),
    );
    await log(store, projectCreated(P, "web"), ...many);
    const database = new Database(target.dsn, { readonly: true });
    onTestFinished(() => void database.close());
    for (const order of ["recent", "created"] as const) {
      const asked = { ...filter, status: "open", limit: 50 } as const;
      const list = order === "created" ? asked : { ...asked, project_uid: P };
      const sent = await statementsOf(store, list, order);
      const plan = sent.flatMap(({ sql, values }) =>
        database
          .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
          .all(...values)
          .map(({ detail }) => detail),
      );
      expect(plan.filter((detail) => detail.includes("TEMP B-TREE"))).toEqual([]);
    }
  },
);

async function statementsOf(store: Store, filter: PageFilter, order: ListOrder) {
  return await sentBy(store, async ({ issues }) => await issues.list(filter, order));
}

async function sentBy(store: Store, read: (reader: Reader) => Promise<unknown>) {
  const execute = vi.spyOn(SqliteConnection.prototype, "execute");
  await store.read(read);
  const sent = execute.mock.calls.map(([sql, values]) => ({ sql, values }));
  execute.mockRestore();
  const lists = sent.filter(({ sql }) => /from (\(|"?issue)/.test(sql));
  expect(lists.length).toBeGreaterThan(0);
  return lists;
}

test.each([
  [{ status: "open" }],
  [{ status: "closed" }],
  [{}],
  [{ status: "open", contains: { text: "x" } }],
  [{ status: "open", related: ["blocked_by"] }],
] as const)(
  "SQLite needs no sort for a page of all projects, last changed first (%j)",
  async (filter) => {
    const { target, open } = await sqliteDatabase();
    const store = await open();
    await log(store, projectCreated(P, "web"), created(P, uid(100)), created(P, uid(101)));
    const database = new Database(target.dsn, { readonly: true });
    onTestFinished(() => void database.close());
    const plan = (await statementsOf(store, { ...filter, limit: 50 }, "recent")).flatMap(
      ({ sql, values }) =>
        database
          .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
          .all(...values)
          .map(({ detail }) => detail),
    );
    expect(plan.filter((detail) => detail.includes("TEMP B-TREE"))).toEqual([]);
    expect(plan.some((detail) => detail.includes("issue_recent"))).toBe(true);
  },
);

test("SQLite looks up the hits of a search one by one, and does not read all issues of the project", async () => {
  const { target, open } = await sqliteDatabase();
  const store = await open();
  const many = Array.from({ length: 10 }, (_, at) => created(P, uid(100 + at)));
  await log(store, projectCreated(P, "web"), ...many);
  const database = new Database(target.dsn, { readonly: true });
  onTestFinished(() => void database.close());
  const base = { project_uid: P, text: "", limit: 20, include_deleted: false };
  const ask = { ...base, labels: [], exclude_labels: [], filter: { status: "open" } } as const;
  const [ids, uids] = [
    [1, 2],
    [uid(100), uid(101)],
  ];
  for (const read of [
    async ({ search }: Reader) => await search.satisfying(ask, ids),
    async ({ search }: Reader) => await search.selected(ask, 2, uids),
  ]) {
    const plan = (await sentBy(store, read)).flatMap(({ sql, values }) =>
      database
        .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
        .all(...values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value)))
        .map(({ detail }) => detail),
    );
    const ofIssues = plan.filter((detail) => /^(SCAN|SEARCH) (issue|i) /.test(detail));
    expect(ofIssues).not.toEqual([]);
    expect(ofIssues.filter((detail) => !/\((uid|rowid)=\?\)/.test(detail))).toEqual([]);
  }
});
