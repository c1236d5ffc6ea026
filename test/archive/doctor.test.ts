import { open } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { examineDatabase } from "../../src/archive/doctor.ts";
import { storageChecks } from "../../src/archive/storage-checks.ts";
import type { Target } from "../../src/archive/target.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { openSnapshot } from "../../src/store/open.ts";
import { refold } from "../../src/store/refold/refold.ts";
import { created, linksChanged, log, projectCreated, uid } from "../store/drafts.ts";
import type { Content } from "./content.ts";
import { fill } from "./content.ts";
import { examine, ids, scratch, withStore } from "./targets.ts";

const CONTENT: Content = {
  projects: [{ name: "p", metadata: "{}", archived: false }],
  issues: [0, 1, 2].map((n) => ({
    project: 0,
    title: `issue ${n}`,
    body: "",
    author: "a",
    owner: "o",
    priority: n,
    labels: ["bug"],
    metadata: '{"n":1.50}',
    comments: [{ author: "b", body: "hm", key: "k" }],
    end: "open",
    createdAt: 1_700_000_000_000 + n,
    externalId: `x${n}`,
  })),
  links: [
    { from: 0, to: 1, type: "blocks" },
    { from: 2, to: 1, type: "parent" },
  ],
};

async function filled(): Promise<Target> {
  const target: Target = { dialect: "sqlite", dsn: join(await scratch(), "svc.db") };
  await withStore(target, async (store) => await fill(store, CONTENT, () => ids.ulid()));
  return target;
}

function tamper({ dsn }: Target, sql: string): void {
  const db = new Database(dsn);
  db.pragma("foreign_keys = off");
  const { changes } = db.prepare(sql).run();
  db.close();
  if (changes === 0) throw new Error(`nothing to change: ${sql}`);
}

test("doctor reports its progress, up to all events and rows", async () => {
  const target = await filled();
  const told: (readonly [done: number, all: number])[] = [];
  const { events, rows } = await examineDatabase(target, (...step) => void told.push(step));
  expect(told.map(([done]) => done)).toEqual(told.map((_, at) => at + 1));
  expect(told.at(-1)?.[0]).toBe(events + rows);
  const all = new Set(told.map(([, of]) => of));
  expect(all.size).toBe(1);
  expect(Math.max(...all)).toBeGreaterThanOrEqual(events + rows);
});

test("doctor finds no fault in a database that only svc wrote", async () => {
  const target = await filled();
  expect(await examine(target)).toEqual({
    events: 10,
    rows: 19,
    integrity: [],
    changedEvents: [],
    brokenChain: [],
  });
});

describe("doctor names a change that svc did not make by table, key and column", () => {
  test.each([
    [
      "update project set name = 'q'",
      { table: "project", column: "name", folded: "p0", stored: "q" },
    ],
    [
      "update project set deleted_at = created_at",
      { table: "project", column: "deleted_at", folded: null },
    ],
    [
      "update alias set alias_kind = 'local'",
      { table: "alias", column: "alias_kind", folded: "git", stored: "local" },
    ],
    [
      "update issue set title = 'x' where id = 2",
      { table: "issue", column: "title", folded: "issue 1", stored: "x" },
    ],
    [
      "update issue set owner = null where id = 2",
      { table: "issue", column: "owner", folded: "o", stored: null },
    ],
    [
      "update issue set priority = 4 where id = 1",
      { table: "issue", column: "priority", folded: 0, stored: 4 },
    ],
    [
      "update issue set metadata = '{\"n\":1.5}' where id = 1",
      { table: "issue", column: "metadata" },
    ],
    [
      "update issue set revision = 7 where id = 1",
      { table: "issue", column: "revision", folded: 1, stored: 7 },
    ],
    [
      "update comment set body = 'no' where id = 3",
      { table: "comment", column: "body", folded: "hm", stored: "no" },
    ],
    [
      "delete from label where issue_uid = (select uid from issue where id = 2)",
      { table: "label", folded: "a row", stored: null },
    ],
    [
      "insert into label select uid, 'new', 'a', created_at from issue where id = 2",
      { table: "label", folded: null, stored: "a row" },
    ],
    [
      "update link set author = 'z' where type = 'blocks'",
      { table: "link", column: "author", folded: "a", stored: "z" },
    ],
    ["delete from link where type = 'parent'", { table: "link", folded: "a row", stored: null }],
    [
      "update idempotency set fingerprint = 'g'",
      { table: "idempotency", column: "fingerprint", folded: "f", stored: "g" },
    ],
    ["update import set external_id = 'y' where external_id like 'x1%'", { table: "import" }],
  ])("%s", async (sql, difference) => {
    const target = await filled();
    tamper(target, sql);
    const report = await examine(target);
    expect(report.fold).toMatchObject(difference);
    expect(report.changedEvents).toEqual([]);
  });

  test.each([
    [
      "open_blockers",
      "update issue set open_blockers = 0 where open_blockers = 1",
      { folded: 1, stored: 0 },
    ],
    [
      "open_children",
      "update issue set open_children = 5 where open_children = 1",
      { folded: 1, stored: 5 },
    ],
    [
      "total_children",
      "update issue set total_children = 5 where total_children = 1",
      { folded: 1, stored: 5 },
    ],
    ["held", "update issue set held = 0 where held = 1", { folded: 1, stored: 0 }],
    ["parked", "update issue set parked = 1 where id = 3", { folded: 0, stored: 1 }],
    [
      "ready_from",
      "update issue set ready_from = '2030-01-01T00:00:00.000Z' where id = 3",
      { folded: null },
    ],
  ])("a change of %s, which is computed from other rows", async (column, sql, difference) => {
    const target = await filled();
    tamper(target, sql);
    const report = await examine(target);
    expect(report).not.toHaveProperty("fold");
    expect(report.derived).toMatchObject({ table: "issue", column, ...difference });
  });

  test("doctor also finds an event whose hash does not match", async () => {
    const target = await filled();
    tamper(target, "update event set actor = 'z' where id = 4");
    expect((await examine(target)).changedEvents).toHaveLength(1);
  });
});

describe("doctor finds", () => {
  const [P, A, B, C, MISSING] = [uid(1), uid(11), uid(12), uid(13), uid(14)];

  /** Three issues, of which each is the parent of the next, and the last the parent of the first; so one link waits. */
  async function circle(): Promise<Target> {
    const target: Target = { dialect: "sqlite", dsn: join(await scratch(), "svc.db") };
    const below = (child: string, parent: string) =>
      linksChanged(P, child, { parent_set_uid: parent });
    await withStore(target, async (store) => {
      await log(store, projectCreated(P, "web"), ...[A, B, C].map((issue) => created(P, issue)));
      await log(store, below(A, B), below(B, C), below(C, A));
    });
    expect(await examine(target)).not.toHaveProperty("fold");
    return target;
  }

  const COLUMNS = "from_uid, to_uid, type, author, created_at";
  const showWaiting = (target: Target): void => {
    tamper(target, `insert into link (${COLUMNS}) select ${COLUMNS} from waiting_link`);
    tamper(target, "delete from waiting_link");
  };

  test("a circle of parents that is shown whole", async () => {
    const target = await circle();
    showWaiting(target);
    expect((await examine(target)).fold).toMatchObject({ table: expect.stringMatching(/link$/) });
  });

  test("a link that is shown while the wrong link of its circle waits, from each issue alone", async () => {
    const target = await circle();
    showWaiting(target);
    tamper(
      target,
      `insert into waiting_link (${COLUMNS}) select ${COLUMNS} from link where from_uid = '${B}'`,
    );
    tamper(target, `delete from link where from_uid = '${B}'`);
    const snapshot = await openSnapshot(target);
    const wrong = await Promise.all(
      [A, B, C].map(async (issue) =>
        (await refold(snapshot.connection, [issue]))
          .filter(({ folded, stored }) => folded === undefined || stored === undefined)
          .map(({ table }) => table)
          .toSorted(),
      ),
    );
    await snapshot.close();
    const both = ["link", "link", "waiting_link", "waiting_link"];
    expect(wrong).toEqual([both, both, both]);
  });

  test("a shown link to an issue that does not exist", async () => {
    const target = await circle();
    await withStore(target, async (store) => {
      await log(store, linksChanged(P, A, { blocks_added_uids: [MISSING] }));
    });
    expect(await examine(target)).not.toHaveProperty("fold");
    tamper(
      target,
      `insert into link (${COLUMNS}) select ${COLUMNS} from waiting_link where type = 'blocks'`,
    );
    tamper(target, "delete from waiting_link where type = 'blocks'");
    expect((await examine(target)).fold).toMatchObject({ table: expect.stringMatching(/link$/) });
  });
});

describe("the checks of doctor", () => {
  async function checks(target: Target): Promise<Record<string, Finding>> {
    const found = await storageChecks(target, async (id, work) => {
      try {
        return [id, await work()] as const;
      } catch (error) {
        return [id, { status: "failed", summary: String(error) }] as const;
      }
    });
    return Object.fromEntries(found);
  }

  test("pass on a sound database", async () => {
    const statuses = Object.entries(await checks(await filled())).map(([id, { status }]) => [
      id,
      status,
    ]);
    expect(statuses).toEqual([
      ["storage.open", "ok"],
      ["storage.integrity", "ok"],
      ["storage.log", "ok"],
      ["storage.chain", "ok"],
      ["storage.fold", "ok"],
      ["storage.readiness", "ok"],
      ["storage.circles", "ok"],
      ["storage.jobs", "ok"],
      ["storage.issue_sync", "ok"],
      ["storage.federation", "ok"],
    ]);
  });

  test("say what was expected and what was found", async () => {
    const target = await filled();
    tamper(target, "update issue set title = 'x' where id = 2");
    const found = await checks(target);
    expect(found["storage.fold"]).toMatchObject({
      status: "failed",
      summary: expect.stringMatching(/^issue \w{26}, title: should be "issue 1", is "x"$/),
    });
    expect(found["storage.readiness"]).toMatchObject({ status: "failed" });
  });

  test("fail for a file with a torn page", async () => {
    const target = await filled();
    const file = await open(target.dsn, "r+");
    await file.write(Buffer.alloc(4096, 0x5a), 0, 4096, 3 * 4096);
    await file.close();
    const statuses = Object.values(await checks(target)).map(({ status }) => status);
    expect(statuses).toContain("failed");
  });

  test("stop at once for a file that is no database of svc", async () => {
    const dsn = join(await scratch(), "other.db");
    new Database(dsn).exec("create table t (a)").close();
    const found = await checks({ dialect: "sqlite", dsn });
    expect(Object.keys(found)).toEqual(["storage.open"]);
    expect(found["storage.open"]?.status).toBe("failed");
  });
});
