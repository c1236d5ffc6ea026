import { expect, test } from "vitest";
import { createCronJob, listCronJobs } from "../../src/contract/cron-jobs.ts";
import { observeCronRun } from "../../src/contract/cron-runs.ts";
import { but, X } from "../domain/cron/bases.ts";
import { describeStore } from "../support/store.ts";
import { at, jobWorld } from "./cron-job-world.ts";

const HOURLY = { trigger: { kind: "interval", interval_seconds: 3600 }, catchup: "all" };

describeStore("the list of jobs", (open) => {
  test("shows for each job when it is due next and, on request, when it ran last", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", HOURLY);
    const params = { project_id: w.path.project_id };
    const list = async (query: { readonly times?: boolean; readonly name?: string }) =>
      (await w.call(listCronJobs, { params, query })).jobs;
    const [fresh] = await list({ times: true });
    expect(fresh).toMatchObject({ next_at: at("2026-08-01T11:00") });
    expect(fresh).not.toHaveProperty("last_at");

    const definition = but(X, { issue: { kind: "existing", uid: w.parent.uid } });
    const { job } = await w.call(createCronJob, {
      params,
      body: { name: "run", definition: definition as never },
    });
    const run_uid = "01K4M0000000000000000000R1";
    await w.call(observeCronRun, {
      params: { ...params, run_uid },
      body: {
        job_uid: job.uid,
        definition_event_uid: job.definition_event_uid,
        status: "running",
        summary: { version: 1 } as never,
        started_at: at("2026-08-01T10:00:05"),
        expected_revision: 0,
      },
    });
    await w.sweep("2026-08-01T12:30");
    const [check, run] = await list({ times: true });
    expect([check?.name, check?.next_at, check?.last_at]).toEqual([
      "check",
      at("2026-08-01T13:00"),
      at("2026-08-01T12:00"),
    ]);
    expect([run?.name, run?.last_at]).toEqual(["run", at("2026-08-01T10:00:05")]);
    for (const one of await list({})) {
      expect(one).not.toHaveProperty("next_at");
      expect(one).not.toHaveProperty("last_at");
    }
    expect((await list({ name: "run" })).map(({ uid }) => uid)).toEqual([job.uid]);
    expect(await list({ name: "Run" })).toEqual([]);
  });
});
