import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { examineStorage } from "../../../src/archive/doctor.ts";
import { createCronWorkflow } from "../../../src/contract/cron-workflows.ts";
import { patchProjectMetadata } from "../../../src/contract/project-actions.ts";
import { initProject } from "../../../src/contract/projects.ts";
import { createRecurrence, deleteRecurrence } from "../../../src/contract/recurrences.ts";
import { moveIssue } from "../../../src/contract/removal.ts";
import { TABLES } from "../../../src/domain/tables/tables.ts";
import { adoptExisting } from "../../../src/ops/federation/adopt-existing.ts";
import { CLEARED_IN_ADOPTION, KEPT_IN_ADOPTION } from "../../../src/store/adopt-project.ts";
import { bothSides, expectFolded } from "../../store/fold.ts";
import { RandomRun } from "../../support/random-run.ts";
import { type Step, step } from "../../support/random-steps.ts";
import { describeStore } from "../../support/store.ts";
import { type World, world } from "../../support/world.ts";

const HUB = "01J0000000000000000HVBPRJ1";

/** Hands the project over, in portions of three issues, and lets it leave its hub. */
async function adopt(w: World, project_uid: string, uid = HUB) {
  const project = await w.store.read(async ({ projects }) => await projects.find(project_uid));
  const { binding, snapshots } = await adoptExisting(
    w,
    {
      ...{ hub_url: "http://127.0.0.1:1", hub_project_id: 1, hub_project_uid: uid },
      ...{ project_name: project?.name ?? "", actor: "sam", pushes: true, allow_insecure: false },
      ...{ replay_horizon_event_id: 1, baseline_through_event_id: 1, capabilities: [] },
    },
    3,
  );
  await w.store.write(async (tx) => {
    await tx.unfolded.remove("federation_binding", { project_uid: uid });
  });
  const through = binding.adopted_through_event_id ?? 0;
  return { first: binding.push_cursor_event_id + 1, through, snapshots };
}

/** A project with one of these happenings is not handed over. */
const REFUSED: readonly RegExp[] = [/series|Series|move|merge/, /Job|workflow|observeRun/, /purge/];

function stepsOf(seed: number, count: number): readonly Step[] {
  const allowed = step.filter(({ act }) => !REFUSED.some((kind) => kind.test(act)));
  return fc.sample(allowed, { seed, numRuns: count });
}

/** The rows of a world, without what an adoption takes away, and under one uid of the project. */
function comparable(rows: Readonly<Record<string, readonly string[]>>, uid: string) {
  const { idempotency: _keys, lease: _leases, project: _project, alias, issue, ...kept } = rows;
  // A link from an issue of another project is an event of that issue now.
  const own = issue?.filter((row) => row.includes(uid) || row.includes(HUB));
  return JSON.parse(
    JSON.stringify({ ...kept, own, aliases: alias?.length }).replaceAll(uid, HUB),
  ) as object;
}

describeStore("a project that becomes a copy", (open) => {
  test.each([1, 2, 3])(
    "an adopted project has the issues that it had, under the uid of the hub's project: seed %i",
    async (seed) => {
      const w = await world({ store: open });
      const run = await RandomRun.begin(w);
      await run.steps(stepsOf(seed, 150));
      const [project] = (await w.store.read(async ({ projects }) => await projects.list(false)))
        .filter(({ id }) => id > 0)
        .toSorted((one, other) => one.id - other.id);
      if (project === undefined) throw new Error("the steps leave a project");
      const before = await bothSides(w.store);
      const { first, through, snapshots } = await adopt(w, project.uid);
      const after = await bothSides(w.store);
      expect(after.folded).toEqual(after.stored);
      expect(comparable(after.stored.rows, project.uid)).toEqual(
        comparable(before.stored.rows, project.uid),
      );
      const events = (await w.events()).filter(
        ({ id, project_uid }) => id >= first && id <= through && project_uid === HUB,
      );
      expect(
        new Set(
          events.map(({ hlc_physical_ms, hlc_counter }) => `${hlc_physical_ms} ${hlc_counter}`),
        ).size,
      ).toBe(1);
      expect(events.filter(({ type }) => type === "issue.snapshot")).toHaveLength(snapshots);
      const issues = after.stored.rows["issue"]?.filter((row) => row.includes(HUB));
      expect(snapshots).toBe(issues?.length);
      const snapshot = await w.store.openSnapshot();
      expect(await examineStorage(snapshot)).toMatchObject({ integrity: [], brokenChain: [] });
      await snapshot.close();
      await run.steps(stepsOf(seed + 50, 30));
      await expectFolded(w.store);
    },
    120_000,
  );

  test("an adopted project keeps its name, its number, its folders, and the short ids of its issues", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    await w.call(initProject, {
      body: { name: "web", alias: { identity: "github.com/a/b", kind: "git" } },
    });
    await w.call(patchProjectMetadata, {
      params: project.path,
      body: { patch: { color: "red", size: { a: 1 } } },
    });
    const issue = await w.given.issue({ project });
    await adopt(w, project.uid);
    const found = await w.store.read(async ({ projects, issues }) => ({
      project: await projects.findByName("web"),
      aliases: await projects.aliases(HUB),
      issue: await issues.find(issue.uid),
    }));
    expect(found.project).toMatchObject({
      id: project.id,
      uid: HUB,
      metadata: { color: "red", size: { a: 1 } },
    });
    expect(found.aliases.map(({ alias_identity }) => alias_identity)).toEqual(["github.com/a/b"]);
    expect(found.issue).toMatchObject({ short_id: issue.short_id, project_uid: HUB });
    expect(await w.given.issue({ project })).toMatchObject({ project_uid: HUB });
    await expectFolded(w.store);
  });

  test("an adopted project may have the uid of the hub's project already", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("web");
    await w.given.issue({ project });
    const steps = [{ key: "a", kind: "command", command: "make" }];
    const body = { name: "nightly", definition: { version: 1, steps }, actor: "bea" } as never;
    await w.call(createCronWorkflow, { params: project.path, body });
    expect(await adopt(w, project.uid, project.uid)).toMatchObject({ snapshots: 1 });
    const workflows = await w.store.read(async ({ cron }) => await cron.workflows(project.uid));
    expect(workflows).toMatchObject([{ name: "nightly", author: "sam" }]);
    await expectFolded(w.store);
  });

  describe("is refused, and stays as it is", () => {
    test("a project with an issue that was moved to it or from it is refused, and stays as it is", async () => {
      const w = await world({ store: open });
      const [from, to] = [await w.given.project("web"), await w.given.project("api")];
      const issue = await w.given.issue({ project: from });
      await w.call(moveIssue, {
        params: issue.path,
        body: { to_project_uid: to.uid },
        headers: { "if-match": `"rev-${issue.revision}"` },
      });
      const before = await w.events();
      for (const { uid } of [from, to])
        await expect(adopt(w, uid)).rejects.toMatchObject({
          code: "invalid_adoption_baseline",
          data: { reason: "has_moves" },
        });
      expect(await w.events()).toEqual(before);
    });

    test("a project with a series that has not ended is refused, and stays as it is", async () => {
      const w = await world({ store: open });
      const issue = await w.given.issue();
      const { recurrence } = await w.call(createRecurrence, {
        params: { project_id: issue.path.project_id },
        body: {
          ...{ rrule: "FREQ=DAILY", dtstart: "2026-01-02", timezone: "UTC" },
          template: { title: "daily" },
        },
      });
      const uid = issue.project_uid ?? "";
      await expect(adopt(w, uid)).rejects.toMatchObject({ data: { reason: "has_series" } });
      await w.call(deleteRecurrence, {
        params: { project_id: issue.path.project_id, recurrence_uid: recurrence.uid },
        headers: { "if-match": `"rev-${recurrence.revision}"` },
      });
      await adopt(w, uid);
      await expectFolded(w.store);
    });
  });

  test("the adoption of a project decides for each table with rows of a project what becomes of them", () => {
    const named: ReadonlySet<string> = new Set([...KEPT_IN_ADOPTION, ...CLEARED_IN_ADOPTION]);
    const unsaid = Object.entries(TABLES)
      .filter(([, { columns }]) => "project_uid" in columns)
      .map(([name]) => name)
      .filter((name) => !named.has(name));
    expect(unsaid.toSorted()).toEqual(
      [
        // The log and what its events name.
        ...["event", "former"],
        // A project with a binding is no project to be handed over.
        ...[
          "federation_binding",
          "federation_digest",
          "federation_enrollment",
          "federation_leave",
          "federation_quarantine",
          "federation_replica",
          "federation_sync_status",
          "issue_sync_binding",
          "issue_sync_status",
          "mirrored_lease",
          "pending_lease",
        ],
        // Its record is of a project that is gone.
        "project_purge_log",
      ].toSorted(),
    );
  });
});
