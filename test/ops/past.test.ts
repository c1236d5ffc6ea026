import fc from "fast-check";
import { expect, test } from "vitest";
import { listAllIssues, listIssues, showIssue } from "../../src/contract/issues.ts";
import type { Output } from "../../src/contract/route.ts";
import { readyIssues } from "../../src/contract/search.ts";
import { touches } from "../../src/domain/evolve/evolve.ts";
import type { AdminStore, RestoreRow, SnapshotRows } from "../../src/store/admin-store.ts";
import { RandomRun } from "../support/random-run.ts";
import { step } from "../support/random-steps.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

/** Steps that change answers about earlier moments: what is removed is removed from the past too. */
const GONE = new Set(["purge", "purgeProject", "merge", "archive", "unarchive", "rename"]);
const kept = step.filter(({ act }) => !GONE.has(act));
const parts = fc.array(fc.array(kept, { minLength: 5, maxLength: 25 }), {
  minLength: 2,
  maxLength: 4,
});

/**
 * SVC_PAST_RUNS allows more runs. On PostgreSQL there are fewer, because making a schema takes longer than copying a
 * file.
 */
const RUNS = { sqlite: Number(process.env["SVC_PAST_RUNS"] ?? 25), postgres: 8 };

/** Returns the answers of the lists, now or at a moment, and every issue with everything that belongs to it. */
async function answers(w: World, of: Pick<Moment, "at" | "projects"> | undefined) {
  const query = of === undefined ? {} : { at: of.at };
  const { issues } = await w.call(listAllIssues, { query });
  const ids = of?.projects ?? [...new Set(issues.map(({ project_id }) => project_id))];
  const lists: unknown[] = [];
  for (const project_id of ids) {
    for (const route of [listIssues, readyIssues])
      lists.push((await w.call(route, { params: { project_id }, query })).issues);
  }
  const shown: unknown[] = [];
  for (const { project_id, uid } of issues)
    shown.push(comparable(await w.call(showIssue, { params: { project_id, ref: uid }, query })));
  return { issues, lists, shown, projects: ids };
}

interface Moment {
  readonly at: string;
  readonly projects: readonly number[];
  readonly answered: unknown;
}

/** A link that was removed has no id, and a lease contains the current time. */
function comparable({
  as_of: _as,
  lease_hub_now: _now,
  requests: _requests,
  ...shown
}: Output<typeof showIssue>) {
  return { ...shown, links: shown.links.map((link) => ({ ...link, id: 0 })) };
}

describeStore("reading the past after random operations", (open) => {
  test("gives the answers that were given at that time", { timeout: 120_000 }, async () => {
    const runs = RUNS[open.dialect];
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(parts, async (all) => {
        const w = await world({ store: open, settings: { timezone: "Europe/Berlin" } });
        const run = await RandomRun.begin(w);
        const moments: Moment[] = [];
        for (const steps of all) {
          await run.steps(steps);
          // A moment is that of an event. Whether an issue is deferred is decided as of that event.
          const last = await w.store.read(async ({ past, events }) => {
            return await past.lastUpTo(await events.lastId());
          });
          if (last?.created_at !== w.clock.now()) continue;
          const answered = await answers(w, undefined);
          moments.push({ at: String(last.id), projects: answered.projects, answered });
        }
        compared += moments.length;
        for (const moment of moments) expect(await answers(w, moment)).toEqual(moment.answered);
        await w.store.close();
      }),
      { numRuns: runs },
    );
    // If nothing was compared, the test would prove nothing.
    expect(compared).toBeGreaterThan(runs / 4);
  });

  test("finds the events that mention an issue through an index, which a restore rebuilds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 80 }), async (steps) => {
        const w = await world({ store: open });
        const run = await RandomRun.begin(w);
        await run.steps(steps);
        const expected = await mentions(w.store, "log");
        expect(await mentions(w.store, "index")).toEqual(expected);
        const copy = await open();
        await copy.restore(everything(w.store), { renumber: false });
        expect(await mentions(copy, "index")).toEqual(expected);
        await copy.close();
        await w.store.close();
      }),
      { numRuns: open.dialect === "sqlite" ? 15 : 4 },
    );
  });
});

/** Returns for each issue the events of other issues that name it only in their payload. */
async function mentions(
  store: AdminStore,
  from: "log" | "index",
): Promise<Record<string, number[]>> {
  return await store.read(async ({ events, issues, past }) => {
    const all = await events.after(0, 100_000);
    const named = all.flatMap((event) =>
      (touches(event).issues ?? []).map((uid) => [uid, event] as const),
    );
    const found: Record<string, number[]> = {};
    for (const uid of (await issues.many(named.map(([own]) => own))).keys()) {
      const own =
        from === "index"
          ? await past.mentioning([uid], 100_000)
          : all.filter(
              (event) =>
                (touches(event).issues ?? []).includes(uid) &&
                event.issue_uid !== uid &&
                event.related_issue_uid !== uid,
            );
      found[uid] = own.map(({ id }) => id);
    }
    return found;
  });
}

const TABLES = [
  "project",
  "recurrence",
  "issue",
  "alias",
  "comment",
  "label",
  "link",
  "import",
  "former",
  "lease",
  "cron_jobs",
  "cron_workflows",
  "idempotency",
  "purge_log",
  "project_purge_log",
  "event",
] as const satisfies readonly (keyof SnapshotRows)[];

async function* everything(store: AdminStore): AsyncGenerator<RestoreRow> {
  const snapshot = await store.openSnapshot();
  try {
    for (const table of TABLES)
      for await (const row of snapshot.rows(table)) yield { table, row } as RestoreRow;
  } finally {
    await snapshot.close();
  }
}
