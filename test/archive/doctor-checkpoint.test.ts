import fc from "fast-check";
import { expect, test } from "vitest";
import { examineDatabase } from "../../src/archive/doctor.ts";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import type { Connection } from "../../src/store/connection.ts";
import { openBackend } from "../../src/store/open.ts";
import { issueDigests } from "../../src/store/refold/digests.ts";
import { RandomRun } from "../support/random-run.ts";
import { step } from "../support/random-steps.ts";
import { describeStore, type OpenTestStore, type TestDatabase } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const QUICK = { quick: true, keeps: true } as const;
const SOUND = { integrity: [], changedEvents: [], brokenChain: [] };

describeStore("svc doctor, which remembers what it verified,", (open) => {
  test("folds only those issues again that have newer events", async () => {
    const { w, issues, examine } = await verified(open);
    expect(await examine()).toMatchObject({ ...SOUND, unchanged: 3 });
    const [, issue] = issues;
    await w.call(editIssue, { params: issue?.path ?? {}, body: { title: "later" } } as never);
    expect(await examine()).toMatchObject({ ...SOUND, unchanged: 2 });
    expect(await examine()).toMatchObject({ ...SOUND, unchanged: 3 });
  });

  test.each([
    ["a row that was changed", "update issue set title = 'x' where id = 2", { column: "title" }],
    ["a comment that was changed", "update comment set body = 'x'", { column: "body" }],
    ["a row that was deleted", "delete from label", { table: "label", stored: null }],
    [
      "a row that was added",
      "insert into label select uid, 'new', 'a', created_at from issue where id = 2",
      { table: "label", folded: null },
    ],
    [
      "an idempotency key that was changed",
      "update idempotency set fingerprint = 'x'",
      { table: "idempotency" },
    ],
    ["a project that was renamed", "update project set name = 'x'", { table: "project" }],
  ])("finds %s directly in the database since its last run", async (_, sql, difference) => {
    const { database, examine } = await verified(open);
    await tamper(database, async (connection) => await connection.execute(sql, []));
    expect((await examine()).fold).toMatchObject(difference);
    expect((await examine()).fold).toMatchObject(difference);
  });

  test("finds a derived column that was changed after the last run", async () => {
    const { database, examine } = await verified(open);
    const sql = "update issue set open_blockers = 5 where id = 2";
    await tamper(database, async (connection) => await connection.execute(sql, []));
    expect((await examine()).derived).toMatchObject({ column: "open_blockers", stored: 5 });
  });

  test.each([
    ["was changed", "update event set payload = replace(payload, 'issue 5', 'issue x')", "changed"],
    ["was removed", "delete from event where id = 6", "broken"],
  ])("finds that an event %s in a verified part of the log", async (_, sql, fault) => {
    const { database, examine } = await verified(open, 1050);
    expect(await examine()).toMatchObject(SOUND);
    await tamper(database, async (connection) => {
      await connection.execute("delete from event_mention where event_id = 6", []);
      await connection.execute(sql, []);
    });
    const { changedEvents, brokenChain } = await examine();
    expect((fault === "changed" ? changedEvents : brokenChain).length).toBeGreaterThan(0);
  });

  test("overlooks a change with a forged digest, unless doctor folds everything again", async () => {
    const { database, examine } = await verified(open, 1);
    await tamper(database, async (connection) => {
      const changed = await connection.execute<{ uid: string }>(
        "update issue set title = 'x' where id = 4 returning uid",
        [],
      );
      const uid = changed.rows[0]?.uid ?? "";
      const { rows } = await connection.execute<{ value: string }>(
        "select value from meta where key = 'schema_version'",
        [],
      );
      const { byIssue } = await issueDigests(connection, [uid], rows[0]?.value ?? "", () => []);
      const digest = byIssue.get(uid) ?? "";
      const sql = `update doctor_checkpoint set digest = '${digest}' where subject = '${uid}'`;
      await connection.execute(sql, []);
    });
    expect(await examine()).not.toHaveProperty("fold");
    const full = await examineDatabase(targetOf(database), undefined, { keeps: true });
    expect(full.fold).toMatchObject({ column: "title", stored: "x" });
  });

  test("continues where an interrupted run stopped", async () => {
    const { database, examine } = await verified(open, 450, false);
    let told = 0;
    const ending = examineDatabase(
      targetOf(database),
      () => {
        told += 1;
        if (told === 180) throw new Error("killed");
      },
      QUICK,
    );
    await expect(ending).rejects.toThrow("killed");
    const { unchanged = 0, ...report } = await examine();
    expect(report).toMatchObject(SOUND);
    expect(unchanged).toBeGreaterThan(0);
    expect(unchanged).toBeLessThan(453);
    expect(await examine()).toMatchObject({ unchanged: 453 });
  });

  test("forgets an issue that is purged", async () => {
    const { w, database, issues, examine } = await verified(open);
    const [issue] = issues;
    const params = issue?.path ?? { project_id: 0, ref: "" };
    const headers = { "x-svc-confirm": `PURGE ${issue?.qualified_id ?? ""}` };
    await w.call(purgeIssue, { params, headers });
    await tamper(database, async (connection) => {
      const { rows } = await connection.execute<{ subject: string }>(
        "select subject from doctor_checkpoint where subject not like 'log %' order by subject",
        [],
      );
      expect(rows.map(({ subject }) => subject)).toEqual(issues.slice(1).map(({ uid }) => uid));
    });
    expect(await examine()).toMatchObject(SOUND);
  });

  test("finds nothing wrong after any history, however often it ran in between", {
    timeout: 120_000,
  }, async () => {
    const parts = fc.array(fc.array(step, { minLength: 5, maxLength: 30 }), {
      minLength: 2,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(parts, async (all) => {
        const database = await open.database();
        const w = await world({ store: async (options) => await database.open(options) });
        const run = await RandomRun.begin(w);
        for (const steps of all) {
          await run.steps(steps);
          const report = await examineDatabase(targetOf(database), undefined, QUICK);
          expect(report).toMatchObject(SOUND);
          expect([report.fold, report.derived]).toEqual([undefined, undefined]);
        }
      }),
      { numRuns: open.dialect === "sqlite" ? 15 : 4 },
    );
  });
});

function targetOf({ dialect, target }: TestDatabase) {
  return { dialect, ...target };
}

/** Three issues with a label, a comment and links, `more` plain ones, and a doctor that has verified them. */
async function verified(open: OpenTestStore, more = 0, isVerified = true) {
  const database = await open.database();
  const w = await world({ store: async (options) => await database.open(options) });
  const issues = [];
  for (const key of ["k1", "k2", "k3"]) issues.push(await keyed(w, key));
  const [first, second] = issues;
  if (first === undefined || second === undefined) throw new Error("three were made");
  await w.given.comment({ on: first });
  await w.given.link(first, "blocks", second);
  await plain(w, first, more);
  const examine = async () => await examineDatabase(targetOf(database), undefined, QUICK);
  if (isVerified) await examine();
  return { w, database, issues, examine };
}

async function keyed(w: World, key: string) {
  const issue = await w.given.issue({ title: "an issue", labels: ["bug"] });
  await w.append({
    type: "issue.commented",
    actor: "ann",
    project_uid: issue.project_uid ?? "",
    issue_uid: issue.uid,
    payload: {
      ...{ comment_uid: w.ids.ulid(), author: "ann", body: "hm", created_at: w.clock.now() },
      ...{ idempotency_key: key, idempotency_fingerprint: "f" },
    },
  });
  return issue;
}

async function plain(
  w: World,
  { project_uid = "" }: { readonly project_uid?: string | undefined },
  count: number,
): Promise<void> {
  const drafts = Array.from({ length: count }, (_, at) => {
    const uid = w.ids.ulid();
    const created_at = w.clock.now();
    return {
      ...{ type: "issue.created" as const, actor: "ann", project_uid, issue_uid: uid },
      payload: {
        ...{ uid, short_id: `z${at}`, title: `issue ${at}`, body: "", author: "ann" },
        ...{ status: "open" as const, metadata: {}, created_at },
      },
    };
  });
  for (let at = 0; at < drafts.length; at += 1000)
    await w.store.write(async (tx) => await tx.appendNewIssues(drafts.slice(at, at + 1000)));
}

async function tamper(
  { target }: TestDatabase,
  work: (connection: Connection) => Promise<unknown>,
): Promise<void> {
  const options = { clock: systemClock, ids: systemIds(), timezone: "UTC", served: true };
  const backend = await openBackend({ ...target, ...options });
  try {
    const connection = await backend.writer();
    if (connection.dialect === "sqlite") await connection.execute("pragma foreign_keys = off", []);
    await work(connection);
  } finally {
    await backend.close();
  }
}
