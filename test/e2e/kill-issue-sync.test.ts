import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { ended } from "./box.ts";
import { hostedBox, REPO } from "./hosted-box.ts";

const ISSUES = 300;
const COMMENTS = 3;
const ROWS = ISSUES * (1 + COMMENTS);
const SEED = Number(process.env["SVC_TEST_SEED"] ?? fc.sample(fc.nat(), 1)[0]);

/**
 * How many issues and comments the database has when the daemon is killed. Each run begins anew and gets further than
 * the one before, unless one comes to its end before the kill. Those after it are killed while they read.
 */
const MOMENTS = fc
  .sample(fc.integer({ min: 0, max: Math.floor(ROWS * 0.8) }), { numRuns: 5, seed: SEED })
  .toSorted((left, right) => left - right);

interface Place {
  readonly rows: number;
  readonly isClaimed: boolean;
}

/** The database of the daemon, as the test looks into it and changes it. */
function opened(home: string) {
  const db = new Database(join(home, "svc.db"));
  onTestFinished(() => void db.close());
  const rows = "(select count(*) from issue) + (select count(*) from comment)";
  const claim = "(select sync_started_at from issue_sync_status)";
  const place = db.prepare(`select ${rows} as rows, ${claim} as claim`);
  return {
    place: (): Place => {
      const { rows: count, claim: since } = place.get() as { rows: number; claim: string | null };
      return { rows: count, isClaimed: since !== null };
    },
    /** Makes the claim of a killed run look so old that another run may take it. */
    age: () =>
      db.exec(
        "update issue_sync_status set sync_started_at = '2025-01-01T00:00:00.000Z' where sync_started_at is not null",
      ),
    comments: () =>
      db
        .prepare(
          "select issue.title, comment.body from comment join issue on issue.uid = comment.issue_uid order by 1, 2",
        )
        .all(),
    issues: () => db.prepare("select title from issue order by 1").pluck().all(),
  };
}

test("after kill -9 of the daemon at five moments of a sync, the next sync has everything exactly once", {
  timeout: 180_000,
}, async () => {
  const { b, host, state } = await hostedBox();
  // The run that enabling begins fails, so that the runs below read everything.
  await state.script({ match: "/graphql", status: 403 });
  await b.json("sync", "github", "enable", "--host", host);
  await vi.waitFor(async () => {
    const { status } = await b.json<{ status: object }>("sync", "github", "status");
    expect(status).toHaveProperty("last_error");
  }, 20_000);
  await b.svc("daemon", "stop");
  const said = (issue: number) => Array.from({ length: COMMENTS }, (_, at) => `${issue}: ${at}`);
  const numbers = Array.from({ length: ISSUES }, (_, at) => at + 1);
  await state.addIssues(
    REPO,
    numbers.map((number) => ({ said: said(number).map((body) => ({ body })) })),
  );
  const db = opened(b.home);
  let killed = 0;
  for (const moment of MOMENTS) {
    const { pid } = await b.json<{ pid: number }>("daemon", "start");
    const child = b.start("sync", "github", "once");
    let isOver = false;
    const over = ended(child).then(() => (isOver = true));
    for (;;) {
      const { rows, isClaimed } = db.place();
      if (isOver || (isClaimed && rows >= moment)) break;
      await systemClock.sleep(1);
    }
    process.kill(pid, "SIGKILL");
    await over;
    if (db.place().isClaimed) {
      killed += 1;
      const refused = await b.svc("sync", "github", "once");
      expect(refused.stderr).toContain("being read by another run");
    }
    db.age();
  }
  expect(killed, `seed ${SEED}`).toBeGreaterThanOrEqual(2);
  await b.json("sync", "github", "once");

  const titleOf = (number: number) => `[GitHub #${number}] Issue ${number}`;
  const byCode = (left: string, right: string) => (left < right ? -1 : 1);
  expect(db.issues(), `seed ${SEED}`).toEqual(numbers.map(titleOf).toSorted(byCode));
  const comments = numbers
    .flatMap((number) => said(number).map((body) => ({ title: titleOf(number), body })))
    .toSorted((a, c) => byCode(`${a.title} ${a.body}`, `${c.title} ${c.body}`));
  expect(db.comments(), `seed ${SEED}`).toEqual(comments);
  const again = await b.json<{ import: object }>("sync", "github", "once");
  expect(again.import).toMatchObject({ created: 0, updated: 0, comments: 0, links: 0 });
});
