import { expect, test, vi } from "vitest";
import type {
  AdminStore,
  RestoreRow,
  Snapshot,
  SnapshotRows,
} from "../../src/store/admin-store.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { describePostgres, describeStore, sqliteDatabase } from "../support/store.ts";
import {
  aliasAdded,
  closed,
  commented,
  created,
  labeled,
  linksChanged,
  log,
  metadataSet,
  projectCreated,
  uid,
} from "./drafts.ts";
import { collect, expectFolded } from "./fold.ts";

const [P, Q] = [uid(1), uid(2)];
const [A, B, C] = [uid(101), uid(102), uid(103)];
const TABLES = [
  "project",
  "alias",
  "issue",
  "comment",
  "label",
  "link",
  "import",
  "idempotency",
  "event",
] as const;

async function fill(store: AdminStore): Promise<void> {
  await log(
    store,
    projectCreated(P, "web"),
    projectCreated(Q, "api"),
    aliasAdded(P, "git.example/web"),
  );
  await log(
    store,
    created(P, A, {
      title: "Parser",
      metadata: {
        someday: true,
        big: JSON.parse("1e400", (_, value) => (value === Infinity ? 1 : value)),
      },
      idempotency_key: "k",
      idempotency_fingerprint: "f",
    }),
    created(P, B, { source: "beads", external_id: "b-1" }),
    created(Q, C),
    linksChanged(P, B, { parent_set_uid: A, blocks_added_uids: [C] }),
    labeled(P, A, "bug"),
    commented(P, A, uid(901), "needle"),
    metadataSet(P, B, { scheduled_on: { to: "2026-01-01" } }),
    closed(Q, C),
  );
}

async function everything(store: AdminStore): Promise<Record<string, unknown[]>> {
  const snapshot = await store.openSnapshot();
  try {
    const all: Record<string, unknown[]> = {};
    for (const table of TABLES) all[table] = await collect(snapshot, table);
    return all;
  } finally {
    await snapshot.close();
  }
}

async function* records(
  snapshot: Snapshot,
  keep: (row: RestoreRow) => boolean = () => true,
): AsyncGenerator<RestoreRow> {
  for (const table of TABLES) {
    for await (const row of snapshot.rows(table)) {
      const record = {
        table,
        row: table === "issue" ? withoutDerived(row as SnapshotRows["issue"]) : row,
      } as RestoreRow;
      if (keep(record)) yield record;
    }
  }
}

async function* nothing(): AsyncGenerator<RestoreRow> {}

function withoutDerived(issue: SnapshotRows["issue"]): object {
  const {
    open_blockers: _b,
    open_children: _o,
    total_children: _t,
    parked: _p,
    held: _h,
    ready_from: _r,
    content_revision: _c,
    ...row
  } = issue;
  return row;
}

describeStore("restoring an export", (open) => {
  test("brings rows, events, ids and derived columns back unchanged, and the log continues", async () => {
    const from = await (await sqliteDatabase()).open();
    await fill(from);
    const to = await open();
    const snapshot = await from.openSnapshot();
    expect(
      await to.restore(records(snapshot), { renumber: false, instanceUid: from.instanceUid }),
    ).toEqual({ skippedLinks: 0 });
    await snapshot.close();
    expect(await everything(to)).toEqual(await everything(from));
    await expectFolded(to);
    const stats = async (store: AdminStore) =>
      await store.read(async (reader) => [...(await reader.projects.stats([P, Q]))]);
    expect(await stats(to)).toEqual(await stats(from));
    await to.read(async (reader) => {
      const hits = await reader.search.lexical({
        project_uid: P,
        text: "needle",
        limit: 9,
        include_deleted: false,
        labels: [],
        exclude_labels: [],
      });
      expect(hits.map(({ issue }) => issue.uid)).toEqual([A]);
      expect(await reader.issues.list({ meta: [{ key: "someday" }] }, "created")).toHaveLength(1);
    });
    const last = await from.read(async (reader) => await reader.events.lastId());
    const next = await to.write(async (tx) => await tx.append(created(P, uid(104))));
    expect(next.id).toBe(last + 1);
  });

  test("gives the database the requested identity from the next opening on", async () => {
    const database = await open.database();
    const store = await database.open();
    await store.restore(nothing(), { renumber: false, instanceUid: uid(77) });
    await store.close();
    expect((await database.open()).instanceUid).toBe(uid(77));
  });

  test("refuses a database that is not empty, and leaves nothing behind if a row is bad", async () => {
    const from = await (await sqliteDatabase()).open();
    await fill(from);
    const to = await open();
    const snapshot = await from.openSnapshot();
    async function* broken(): AsyncGenerator<RestoreRow> {
      yield* records(snapshot);
      throw new Error("line 9 is broken");
    }
    await expect(to.restore(broken(), { renumber: false })).rejects.toThrow("line 9 is broken");
    expect((await everything(to))["project"]).toEqual([]);
    await to.restore(records(snapshot), { renumber: false });
    await expect(to.restore(records(snapshot), { renumber: false })).rejects.toMatchObject({
      code: "conflict",
    });
    await snapshot.close();
  });

  test("adds a project under new ids to existing projects, and counts the links to missing issues", async () => {
    const from = await (await sqliteDatabase()).open();
    await fill(from);
    const to = await open();
    await log(to, projectCreated(uid(3), "own"), created(uid(3), uid(301)));
    const snapshot = await from.openSnapshot();
    const ofP = ({ table, row }: RestoreRow): boolean => {
      if (table === "project") return row.uid === P;
      if (table === "issue" || table === "event" || table === "alias" || table === "import")
        return row.project_uid === P;
      return true;
    };
    expect(await to.restore(records(snapshot, ofP), { renumber: true })).toEqual({
      skippedLinks: 1,
    });
    await expect(to.restore(records(snapshot, ofP), { renumber: true })).rejects.toMatchObject({
      code: "conflict",
    });
    await snapshot.close();
    const all = await everything(to);
    const ids = (table: string) => (all[table] as { id: number }[]).map(({ id }) => id);
    expect([ids("project"), ids("issue"), ids("event")]).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ]);
    const next = await to.write(async (tx) => await tx.append(created(P, uid(104))));
    expect(next.id).toBe(11);
  });
});

describeStore("a snapshot of the database", (open) => {
  test("does not see later writes, however long it is read", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      ...Array.from({ length: 250 }, (_, at) => created(P, uid(1000 + at))),
    );
    const snapshot = await store.openSnapshot();
    const seen: string[] = [];
    for await (const { uid: issue } of snapshot.rows("issue")) {
      if (seen.length === 50) await log(store, created(P, uid(5000)), closed(P, uid(1200)));
      seen.push(issue);
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, at) => uid(1000 + at)));
    expect(await collect(snapshot, "event")).toHaveLength(251);
    expect(await snapshot.integrity()).toEqual([]);
    await snapshot.close();
  });

  test("lets other work run between its slices", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      ...Array.from({ length: 250 }, (_, at) => created(P, uid(1000 + at))),
    );
    const snapshot = await store.openSnapshot();
    let turns = 0;
    let reading = true;
    const turn = (): void => {
      turns += 1;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    await collect(snapshot, "issue");
    reading = false;
    await snapshot.close();
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});

describePostgres("a restore of many issues", (open) => {
  test("takes fewer statements than the file has events that name other issues", async () => {
    const source = await (await sqliteDatabase()).open();
    const count = 120;
    await log(source, projectCreated(P, "web"));
    await source.write(async (tx) => {
      for (let at = 0; at < count; at += 1) await tx.append(created(P, uid(1000 + at)));
      for (let at = 1; at < count; at += 1)
        await tx.append(linksChanged(P, uid(1000), { blocks_added_uids: [uid(1000 + at)] }));
    });
    const snapshot = await source.openSnapshot();
    const target = await open();
    const execute = vi.spyOn(PostgresConnection.prototype, "execute");
    await target.restore(records(snapshot), { renumber: false });
    expect(execute.mock.calls.length).toBeLessThan(count);
    execute.mockRestore();
    await snapshot.close();
    await expectFolded(target);
  });
});
