import { expect, test } from "vitest";
import { systemIds } from "../../src/base/ids.ts";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { sweepCronJob } from "../../src/contract/cron-ledger.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { sweepJobs } from "../../src/engines/cron-sweep.ts";
import { but, X } from "../domain/cron/bases.ts";
import { expectFolded } from "../store/fold.ts";
import { makeHub } from "../support/federated.ts";
import { describePostgres, describeStore } from "../support/store.ts";
import { at, jobWorld, silent } from "./cron-job-world.ts";

const every = (interval_seconds: number) => ({
  trigger: { kind: "interval", interval_seconds },
  catchup: "all",
});

describeStore("a requested sweep of one job", (open) => {
  test("creates what is due, reports it, and creates nothing when nothing is due", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", every(3600));
    w.to("2026-08-01T10:59:59");
    const before = await w.eventKinds();
    const early = await w.call(sweepCronJob, { params: w.path });
    expect(early).toMatchObject({ made: [], more: false, next_at: at("2026-08-01T11:00") });
    expect(await w.eventKinds()).toEqual(before);

    w.to("2026-08-01T12:30");
    const swept = await w.call(sweepCronJob, { params: w.path });
    const children = await w.children();
    expect(swept).toMatchObject({
      job: { uid: w.job.uid, name: "check", timezone: "UTC" },
      now: at("2026-08-01T12:30"),
      made: ["2026-08-01T11:00", "2026-08-01T12:00"].map((due, place) => ({
        at: at(due),
        child_uid: children[place]?.uid,
        child_short_id: children[place]?.short_id,
        asked: "ann",
      })),
      more: false,
      next_at: at("2026-08-01T13:00"),
    });
    expect((await w.call(sweepCronJob, { params: w.path })).made).toEqual([]);
    expect(await w.sweep("2026-08-01T12:30")).toEqual([]);
    await expectFolded(w.store);
  });

  test("creates nothing for a held job and names the reason, but a lease on the parent does not hold a job", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { ...every(3600), enabled: false });
    w.to("2026-08-01T11:30");
    const held = await w.call(sweepCronJob, { params: w.path });
    expect([held.job.held, held.made, held.more]).toEqual(["disabled", [], false]);
    await w.edit({ enabled: true });
    await w.call(acquireIssueLease, { params: w.parent.path, actor: "bea" });
    expect((await w.call(sweepCronJob, { params: w.path })).made).toHaveLength(1);
  });

  test("creates each child once although it overlaps with sweeps of the engine", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", every(60));
    w.to("2026-08-01T11:00");
    const answers = await Promise.all([
      w.call(sweepCronJob, { params: w.path }),
      sweepJobs({ ...w, log: silent }),
      w.call(sweepCronJob, { params: w.path }),
    ]);
    const made = await w.delivered();
    expect([new Set(made).size, made.length]).toEqual([60, 60]);
    const said = answers.map((one) => ("made" in one ? one.made.length : one.children));
    expect(said.reduce((a, b) => a + b)).toBe(60);
    await expectFolded(w.store);
  });

  test("says that more is due if its scan has not reached the end", async () => {
    const minutely = { trigger: { kind: "cron", cron: "* * * * *" }, catchup: "latest" };
    const w = await jobWorld(open, "2026-08-01T00:00", minutely);
    w.to("2026-08-15T00:00");
    const first = await w.call(sweepCronJob, { params: w.path });
    expect([first.made, first.more]).toEqual([[], true]);
    const second = await w.call(sweepCronJob, { params: w.path });
    expect([second.made.map((one) => one.at), second.more]).toEqual([
      [at("2026-08-15T00:00")],
      false,
    ]);
  });

  test("refuses a job that an adapter runs, and answers not found for a missing job", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", every(3600));
    const params = { project_id: w.path.project_id };
    const definition = but(X, { issue: { kind: "existing", uid: w.parent.uid } });
    const body = { name: "x", definition: definition as never };
    const { job } = await w.call(createCronJob, { params, body });
    const refused = await w.refused(sweepCronJob, { params: { ...params, cron_uid: job.uid } });
    expect([refused.code, refused.hint]).toEqual(["validation", "an adapter runs this job"]);
    const unknown = { ...params, cron_uid: "01K4M0000000000000000000Z9" };
    expect((await w.refused(sweepCronJob, { params: unknown })).code).toBe("not_found");
    const nowhere = { ...w.path, project_id: 999 };
    expect((await w.refused(sweepCronJob, { params: nowhere })).code).toBe("project_not_found");
  });
});

describeStore("a requested sweep of one job of a copy", (open) => {
  test("is refused whether or not something is due, since the hub delivers, and leaves the checkpoint as it was", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", every(3600));
    const { project_id } = w.path;
    const project = await w.store.read(async ({ projects }) => await projects.findById(project_id));
    if (project === undefined) throw new Error("there is a project");
    await makeHub(w, project, {
      role: "spoke",
      hub_url: "https://hub.example",
      push_enabled: 1,
      bound_actor: "sam",
    });
    const [before, progress] = [(await w.events()).length, await w.progress()];
    const codes: string[] = [];
    for (const time of ["2026-08-01T10:30", "2026-08-01T12:30"]) {
      w.to(time);
      codes.push((await w.refused(sweepCronJob, { params: w.path })).code);
    }
    expect(codes).toEqual(["federated_admin_required", "federated_admin_required"]);
    expect([(await w.events()).length, await w.progress()]).toEqual([before, progress]);
  });
});

describePostgres("a sweep of one job while another daemon sweeps", (open) => {
  test("creates each child once", async () => {
    const database = await open.database();
    const w = await jobWorld(
      async (options) => await database.open(options),
      "2026-08-01T10:00",
      every(60),
    );
    const other = await database.open({ clock: w.clock, ids: systemIds(), timezone: "UTC" });
    w.to("2026-08-01T11:00");
    const sweeping = { store: other, clock: w.clock, ids: systemIds(), log: silent };
    const [swept, engine] = await Promise.all([
      w.call(sweepCronJob, { params: w.path }),
      sweepJobs(sweeping),
    ]);
    expect(swept.made.length + engine.children).toBe(60);
    const made = await w.delivered();
    expect([new Set(made).size, made.length]).toEqual([60, 60]);
    await expectFolded(w.store);
  });
});
