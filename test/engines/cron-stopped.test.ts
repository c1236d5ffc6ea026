import { expect, test } from "vitest";
import { storageChecks } from "../../src/archive/storage-checks.ts";
import { instantToMs } from "../../src/base/clock.ts";
import { reopenIssue } from "../../src/contract/actions.ts";
import {
  createCronJob,
  listCronJobs,
  replaceCronJob,
  showCronJob,
} from "../../src/contract/cron-jobs.ts";
import { previewCronJob, showCronJobLedger } from "../../src/contract/cron-ledger.ts";
import { deleteIssue, purgeIssue } from "../../src/contract/removal.ts";
import { idleJobs } from "../../src/daemon/idle/jobs.ts";
import { stoppedText } from "../../src/domain/cron/stopped-text.ts";
import { type StoppedJobs, sweepJobs } from "../../src/engines/cron-sweep.ts";
import { but, X } from "../domain/cron/bases.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { jobWorld } from "./cron-job-world.ts";

type JobWorld = Awaited<ReturnType<typeof jobWorld>>;

async function confirmed(w: JobWorld, verb: "DELETE" | "PURGE") {
  const route = verb === "DELETE" ? deleteIssue : purgeIssue;
  const headers = { "x-svc-confirm": `${verb} ${w.parent.qualified_id}` };
  await w.call(route, { params: w.parent.path, headers, body: {} });
}

/** Removes the checkpoint, as in a damaged database: no operation does that. */
async function withoutCheckpoint(w: JobWorld) {
  const key = `cron.progress.${w.job.uid}`;
  await w.append({
    type: "issue.metadata_updated",
    actor: "ann",
    project_uid: w.parent.project_uid ?? "",
    issue_uid: w.parent.uid,
    payload: {
      diff: { [key]: { from: await w.progress(), to: null } },
      revision_new: 9,
      updated_at: w.clock.now(),
    },
  });
}

/** Stores a definition that is invalid today, as an older version with wider rules may have done. */
async function withInvalidDefinition(w: JobWorld) {
  const { definition } = w;
  const project_uid = w.parent.project_uid ?? "";
  await w.append({
    type: "cron.job.updated",
    actor: "ann",
    project_uid,
    payload: {
      uid: w.job.uid,
      project_uid,
      name: "check",
      definition: { ...definition, overlap: "never" },
      author: "ann",
      created_at: w.clock.now(),
      updated_at: w.clock.now(),
    },
  });
}

/** Returns what each route says about the job. */
async function told(w: JobWorld) {
  const params = w.path;
  const preview = await w.call(previewCronJob, { params });
  return {
    preview: [preview.job.held, preview.occurrences.length],
    ledger: (await w.call(showCronJobLedger, { params })).job.held,
    show: (await w.call(showCronJob, { params })).job.held,
    list: (await w.call(listCronJobs, { params })).jobs.map(({ held }) => held),
  };
}

async function turned(w: JobWorld, enabled: boolean) {
  const { job } = await w.call(showCronJob, { params: w.path });
  const definition = { ...(job.definition as object), enabled } as never;
  const { definition_event_uid: expected_event_uid, name } = job;
  return await w.call(replaceCronJob, {
    params: w.path,
    body: { name, definition, expected_event_uid },
  });
}

const all = (held: string | undefined, times: number) => ({
  preview: [held, times],
  ledger: held,
  show: held,
  list: [held],
});

describeStore("a job that does not run", (open) => {
  test.each<[string, string, number, (w: JobWorld) => Promise<unknown>]>([
    ["its parent was purged", "parent_missing", 0, async (w) => await confirmed(w, "PURGE")],
    ["its checkpoint is gone", "progress_invalid", 0, withoutCheckpoint],
    ["its parent is in the trash", "parent_deleted", 10, async (w) => await confirmed(w, "DELETE")],
    ["its parent is closed", "parent_closed", 10, async (w) => await w.given.closed(w.parent)],
    ["it is disabled", "disabled", 10, async (w) => await turned(w, false)],
  ])(
    "a job that does not run is shown with its reason wherever the job is shown: %s",
    async (_, held, times, hold) => {
      const w = await jobWorld(open, "2026-08-01T10:00", { catchup: "all" });
      expect(await told(w)).toEqual(all(undefined, 10));
      await hold(w);
      expect(await told(w)).toEqual(all(held, times));
      expect(await w.sweep("2026-08-05T12:00")).toEqual([]);
    },
  );

  test.each<[string, string, (w: JobWorld) => Promise<unknown>]>([
    ["its parent was purged", "parent_missing", async (w) => await confirmed(w, "PURGE")],
    ["its checkpoint is gone", "progress_invalid", withoutCheckpoint],
    ["its parent is in the trash", "parent_deleted", async (w) => await confirmed(w, "DELETE")],
  ])("a job that does not run can be disabled and enabled: %s", async (_, held, hold) => {
    const w = await jobWorld(open, "2026-08-01T10:00", { catchup: "all" });
    await hold(w);
    const off = await turned(w, false);
    expect(off.job.definition).toMatchObject({ enabled: false });
    // The toggle writes only the definition. It does not create a lost checkpoint.
    expect(off.events.map(({ type }) => type)).toEqual(["cron.job.updated"]);
    const on = await turned(w, true);
    expect(on.events.map(({ type }) => type)).toEqual(["cron.job.updated"]);
    expect((await told(w)).show).toBe(held);
  });

  test("a job of an adapter can be disabled when its issue is gone, but not enabled again", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = { project_id: issue.path.project_id };
    const definition = but(X, { enabled: true, issue: { kind: "existing", uid: issue.uid } });
    const body = { name: "nightly", definition: definition as never };
    const { job } = await w.call(createCronJob, { params, body });
    await w.given.deleted(issue);
    const path = { ...params, cron_uid: job.uid };
    const off = await w.call(replaceCronJob, {
      params: path,
      body: {
        name: "nightly",
        definition: { ...definition, enabled: false } as never,
        expected_event_uid: job.definition_event_uid,
      },
    });
    expect(off.job.definition).toMatchObject({ enabled: false });
    expect((await w.call(previewCronJob, { params: path })).job.held).toBe("disabled");
    const expected_event_uid = off.job.definition_event_uid;
    const again = { ...body, expected_event_uid };
    expect(await w.refused(replaceCronJob, { params: path, body: again })).toMatchObject({
      code: "validation",
      data: { field: "definition.issue.uid" },
    });
  });

  test("a job that does not run is logged once for each change, not in each sweep", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { catchup: "all" });
    const lines: object[] = [];
    const say = (level: string) => (event: string, data?: object) =>
      void lines.push({ level, event, ...data });
    const log = { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
    const known: StoppedJobs = new Map();
    const deps = { ...w, log: { ...log, child: () => log as never } };
    const sweep = async () => void (await sweepJobs(deps, undefined, known));
    const job_uid = w.job.uid;
    await sweep();
    expect(lines).toEqual([]);
    await w.given.closed(w.parent);
    await sweep();
    await sweep();
    expect(lines.splice(0)).toEqual([
      { level: "info", event: "cron.job_held", job_uid, reason: "parent_closed" },
    ]);
    await w.call(reopenIssue, { params: w.parent.path });
    await sweep();
    expect(lines.splice(0)).toEqual([
      { level: "info", event: "cron.job_released", job_uid, reason: "parent_closed" },
    ]);
    await confirmed(w, "PURGE");
    await sweep();
    await sweep();
    expect(lines).toEqual([
      { level: "warn", event: "cron.job_held", job_uid, reason: "parent_missing" },
    ]);
  });
});

describeStore("doctor's check of recurring jobs", (open) => {
  async function examined() {
    const database = await open.database();
    const w = await jobWorld(database.open, "2026-08-01T10:00", { catchup: "all" });
    const checked = async () => {
      const target = { dialect: database.dialect, ...database.target };
      const found = new Map<string, object>();
      await storageChecks(target, async (id, work) => void found.set(id, await work()));
      return found.get("storage.jobs");
    };
    return { w, checked };
  }

  test("names the jobs that cannot run as they are", async () => {
    const { w, checked } = await examined();
    expect(await checked()).toMatchObject({ status: "ok" });
    await confirmed(w, "PURGE");
    expect(await checked()).toMatchObject({
      status: "warning",
      summary: `1 recurring job cannot run as it is: check (${w.job.uid}): parent_missing`,
      fix: "parent_missing: delete the job and create another",
    });
  });

  test("gives the same remedy as the job itself, and the remedy works", async () => {
    const { w, checked } = await examined();
    await withInvalidDefinition(w);
    expect(await told(w)).toEqual(all("definition_invalid", 0));
    const fix = "update its definition";
    expect(await checked()).toMatchObject({
      status: "warning",
      summary: `1 recurring job cannot run as it is: check (${w.job.uid}): definition_invalid`,
      fix: `definition_invalid: ${fix}`,
    });
    expect(stoppedText("definition_invalid")).toMatch(fix);
    await w.edit({});
    expect(await told(w)).toEqual(all(undefined, 10));
    expect(await checked()).toMatchObject({ status: "ok" });
  });

  test("says what an idle timeout means for enabled jobs", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { catchup: "all" });
    expect(await idleJobs(w.store, 300_000)).toEqual({
      recurring_jobs: 1,
      note: expect.stringContaining("this one ends after 5m0s without clients"),
    });
    await turned(w, false);
    expect(await idleJobs(w.store, 300_000)).toEqual({});
  });
});

describeStore("@every in a schedule", (open) => {
  test.each([
    ["@every 90m", ["11:30", "13:00", "14:30"]],
    ["@every 1h0m30s", ["11:00:30", "12:01", "13:01:30"]],
    ["@every 10ms", ["10:00:01", "10:00:02", "10:00:03"]],
  ])("counts from the creation of the definition: %s", async (cron, times) => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const params = { project_id: issue.path.project_id };
    w.clock.advance(instantToMs("2026-08-01T10:00:00.250Z") - w.clock.nowMs());
    const definition = but(X, {
      enabled: true,
      trigger: { kind: "cron", cron },
      issue: { kind: "existing", uid: issue.uid },
    });
    const body = { name: "often", definition: definition as never };
    const { job } = await w.call(createCronJob, { params, body });
    const path = { ...params, cron_uid: job.uid };
    const next = await w.call(previewCronJob, { params: path, query: { limit: 3 } });
    const full = (time: string) => `2026-08-01T${time.length === 5 ? `${time}:00` : time}Z`;
    expect(next.occurrences.map(({ at }) => at)).toEqual(times.map(full));
  });
});
