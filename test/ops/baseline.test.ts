import fc from "fast-check";
import { expect, test } from "vitest";
import { examineStorage } from "../../src/archive/doctor.ts";
import { canonicalJson, type JsonObject } from "../../src/base/json.ts";
import type { EventKind, StoredEvent } from "../../src/contract/events.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { moveIssue, purgeIssue } from "../../src/contract/removal.ts";
import { evolve } from "../../src/domain/evolve/evolve.ts";
import { foldLog, MemoryState } from "../../src/domain/memory.ts";
import { prepareBaseline } from "../../src/ops/federation/baseline.ts";
import type { Snapshot } from "../../src/store/admin-store.ts";
import { bothSides, collect, expectFolded } from "../store/fold.ts";
import { type BaselineSpan, writeBaseline } from "../support/baseline.ts";
import { RandomRun } from "../support/random-run.ts";
import { step } from "../support/random-steps.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

/** More runs find more: `SVC_BASELINE_RUNS=50 npx vitest run test/ops/baseline.test.ts`. The title has the seed. */
const SEEDS = Array.from(
  { length: Number(process.env["SVC_BASELINE_RUNS"] ?? 2) },
  (_, at) => at + 1,
);

describeStore("the baseline of a project", (open) => {
  test.each(SEEDS)(
    "contains everything and changes no row, after 200 random steps of seed %i",
    async (seed) => {
      const w = await world({ store: open });
      const run = await RandomRun.begin(w);
      await run.steps(fc.sample(step, { seed, numRuns: 160 }));
      const projects = await w.store.read(async ({ projects }) => await projects.list(true));
      const prepared = await Promise.all(
        projects.map(async ({ uid }) => await prepareBaseline(w, uid, "ann")),
      );
      await run.steps(fc.sample(step, { seed: seed + 1000, numRuns: 40 }));
      for (const one of prepared) {
        const project = await w.store.read(
          async ({ projects: all }) => await all.find(one.project_uid),
        );
        // A random step may have purged or merged the project.
        if (project === undefined) continue;
        const before = await bothSides(w.store);
        const span = await w.store.write(async (tx) => await writeBaseline(tx, one));
        const after = await bothSides(w.store);
        // The index of cron events has those of the baseline too.
        expect({ ...after.stored, cronEvents: [] }).toEqual({ ...before.stored, cronEvents: [] });
        expect(after.folded).toEqual(after.stored);
        await expectSameReplica(w, one.project_uid, span);
      }
      await run.steps(fc.sample(step, { seed: seed + 2000, numRuns: 40 }));
      await expectFolded(w.store);
      await expectSound(w);
    },
    120_000,
  );

  test("has one clock and one time, and begins with the event that enables federation", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ owner: "bea", labels: ["x"] });
    const { comment } = await w.given.comment({ on: issue, author: "cyd", body: "hm" });
    const parent = await w.given.issue({ title: "parent" });
    await w.given.link(issue, "parent", parent);
    await w.given.deleted(parent);
    w.clock.advance(1000);
    const span = await baseline(w, issue.project_uid ?? "");
    const events = await between(w, span);
    expect(events.map(({ type, issue_uid }) => [type, issue_uid])).toEqual([
      ["project.federation_enabled", undefined],
      ["issue.snapshot", issue.uid],
      ["issue.snapshot", parent.uid],
    ]);
    const [first] = events;
    for (const event of events)
      expect(event).toMatchObject({
        actor: "ann",
        hlc_physical_ms: first?.hlc_physical_ms,
        hlc_counter: first?.hlc_counter,
        created_at: w.clock.now(),
        origin_instance_uid: w.store.instanceUid,
      });
    expect(payloadOf(events, "issue.snapshot", issue.uid)).toMatchObject({
      owner: "bea",
      labels: [{ label: "x" }],
      links: [{ type: "parent", to_issue_uid: parent.uid, author: "ann" }],
      comments: [{ comment_uid: comment.uid, author: "cyd", body: "hm" }],
    });
    expect(payloadOf(events, "issue.snapshot", parent.uid)).toHaveProperty("deleted_at");
    const next = await w.given.issue({ title: "next" });
    const last = (await w.events()).at(-1);
    expect(last).toMatchObject({ issue_uid: next.uid, id: span.through + 1 });
    expect(isLater(last, first)).toBe(true);
  });

  test("names purged issues, and the short ids that no other issue may get", async () => {
    const w = await world({ store: open });
    const [home, away] = [await w.given.project("web"), await w.given.project("away")];
    const [gone, left] = [
      await w.given.issue({ project: home, title: "gone" }),
      await w.given.issue({ project: home, title: "left" }),
    ];
    await w.given.issue({ project: home, title: "there" });
    const headers = { "x-svc-confirm": `PURGE ${gone.qualified_id}` };
    await w.call(purgeIssue, { params: gone.path, headers });
    await w.call(moveIssue, {
      params: left.path,
      body: { to_project_uid: away.uid },
      headers: { "if-match": `"rev-${left.revision}"` },
    });
    const events = await between(w, await baseline(w, home.uid));
    expect(payloadOf(events, "project.federation_enabled")).toMatchObject({
      project_uid: home.uid,
      project_name: "web",
      revision: 1,
      purged_uids: [gone.uid],
      spent_short_ids: [gone.short_id],
      former_short_ids: [{ short_id: left.short_id, issue_uid: left.uid }],
    });
    expect(events).toHaveLength(2);
  });

  test("contains what changed after its snapshots were prepared", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const [one, two, three] = [
      await w.given.issue({ project, title: "one" }),
      await w.given.issue({ project, title: "two" }),
      await w.given.issue({ project, title: "three" }),
    ];
    await w.given.link(one, "blocks", two);
    const prepared = await prepareBaseline(w, project.uid, "ann");
    await w.call(editIssue, { params: three.path, body: { title: "edited" } });
    const late = await w.given.issue({ project, title: "late" });
    const edited = await between(
      w,
      await w.store.write(async (tx) => await writeBaseline(tx, prepared)),
    );
    expect(payloadOf(edited, "issue.snapshot", three.uid)).toMatchObject({ title: "edited" });
    expect(payloadOf(edited, "issue.snapshot", late.uid)).toMatchObject({ title: "late" });
    expect(payloadOf(edited, "issue.snapshot", one.uid)).toHaveProperty("links");
    const headers = { "x-svc-confirm": `PURGE ${two.qualified_id}` };
    await w.call(purgeIssue, { params: two.path, headers });
    const purged = await between(
      w,
      await w.store.write(async (tx) => await writeBaseline(tx, prepared)),
    );
    expect(payloadOf(purged, "issue.snapshot", one.uid)).not.toHaveProperty("links");
    expect(purged.filter(({ issue_uid }) => issue_uid === two.uid)).toEqual([]);
    await expectFolded(w.store);
    await expectSound(w);
  });
});

async function baseline(w: World, project_uid: string): Promise<BaselineSpan> {
  const prepared = await prepareBaseline(w, project_uid, "ann");
  return await w.store.write(async (tx) => await writeBaseline(tx, prepared));
}

async function between(w: World, { horizon, through }: BaselineSpan) {
  return (await w.events()).filter(({ id }) => id >= horizon && id <= through);
}

function payloadOf<K extends EventKind>(events: readonly StoredEvent[], kind: K, uid?: string) {
  return events.find(({ type, issue_uid }) => type === kind && issue_uid === uid)?.payload;
}

function isLater(one: StoredEvent | undefined, other: StoredEvent | undefined): boolean {
  const place = (event: StoredEvent | undefined) =>
    (event?.hlc_physical_ms ?? 0) * 1000 + (event?.hlc_counter ?? 0);
  return place(one) > place(other);
}

/** Checks that the events of the baseline alone give the same rows of the project as the whole log does. */
async function expectSameReplica(w: World, uid: string, span: BaselineSpan): Promise<void> {
  const log = await withSnapshot(w, async (snapshot) => await collect(snapshot, "event"));
  const events = log.filter(({ id }) => id >= span.horizon && id <= span.through);
  const whole = foldLog(log);
  const project = whole.project(uid);
  const replica = new MemoryState();
  if (project !== undefined) replica.put("project", { ...project, metadata: {}, revision: 1 });
  for (const event of events) replica.apply(evolve(replica, event));
  expect(rowsOf(replica, uid)).toEqual(rowsOf(whole, uid));
}

/** The rows of a project that cross to other daemons. */
function rowsOf(state: MemoryState, project_uid: string) {
  const isOwn = (uid: string): boolean => state.issue(uid)?.project_uid === project_uid;
  const rows = [
    [state.project(project_uid)],
    state.issuesOf(project_uid),
    [...state.rows("label")].filter(({ issue_uid }) => isOwn(issue_uid)),
    [...state.rows("comment")].filter(({ issue_uid }) => isOwn(issue_uid)),
    [...state.rows("link")].filter(({ from_uid, to_uid }) => isOwn(from_uid) && isOwn(to_uid)),
    state.of("import", project_uid).filter(({ issue_uid }) => isOwn(issue_uid)),
    state.of("cron_jobs", project_uid),
    state.of("cron_workflows", project_uid),
    state.of("cron_runs", project_uid),
  ];
  return rows.map((some) => some.map((row) => canonicalJson({ ...row } as JsonObject)).sort());
}

async function expectSound(w: World): Promise<void> {
  const report = await withSnapshot(w, examineStorage);
  expect(report).toMatchObject({ integrity: [], changedEvents: [], brokenChain: [] });
  expect(report).not.toHaveProperty("fold");
  expect(report).not.toHaveProperty("derived");
}

async function withSnapshot<T>(w: World, read: (from: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = await w.store.openSnapshot();
  try {
    return await read(snapshot);
  } finally {
    await snapshot.close();
  }
}
