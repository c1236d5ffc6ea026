import { expect, test } from "vitest";
import { reopenIssue } from "../../src/contract/actions.ts";
import { archiveCronJob, createCronJob, restoreCronJob } from "../../src/contract/cron-jobs.ts";
import { previewCronJob, showCronJobLedger } from "../../src/contract/cron-ledger.ts";
import { previewCronDefinition } from "../../src/contract/cron-preview.ts";
import { removeProject, restoreProject } from "../../src/contract/project-actions.ts";
import { deleteIssue, restoreIssue } from "../../src/contract/removal.ts";
import { but, R, X } from "../domain/cron/bases.ts";
import { describeStore } from "../support/store.ts";
import { at, jobWorld } from "./cron-job-world.ts";

type JobWorld = Awaited<ReturnType<typeof jobWorld>>;

const ALL = { catchup: "all" };
const nine = (day: string): string => `2026-08-${day}T09:00:00Z`;

async function ledger(w: JobWorld, query: object = {}) {
  return await w.call(showCronJobLedger, { params: w.path, query });
}

/** The day, the outcome and the text of each entry. */
async function lines(w: JobWorld, query: object = {}) {
  const { entries } = await ledger(w, query);
  return entries.map(({ at: due, outcome, policy, held, late_seconds }) =>
    [due.slice(8, 10), outcome, policy, held, late_seconds].filter((part) => part !== undefined),
  );
}

describeStore("the ledger of a job", (open) => {
  test("shows for each delivery which issue it created and how late it came", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.sweep("2026-08-02T09:00:20");
    await w.sweep("2026-08-03T12:00");
    const children = await w.children();
    expect(await ledger(w)).toEqual({
      job: { uid: w.job.uid, name: "check", timezone: "UTC" },
      through: nine("03"),
      entries: [
        {
          at: nine("03"),
          outcome: "delivered",
          late_seconds: 10_800,
          child_uid: children[1]?.uid,
          child_short_id: children[1]?.short_id,
          settled_at: "2026-08-03T12:00:00.000Z",
        },
        {
          at: nine("02"),
          outcome: "delivered",
          late_seconds: 20,
          child_uid: children[0]?.uid,
          child_short_id: children[0]?.short_id,
          settled_at: "2026-08-02T09:00:20.000Z",
        },
      ],
    });
  });

  test("shows which occurrences were discarded, with the policy of that time", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { catchup: "latest" });
    await w.sweep("2026-08-04T12:00");
    await w.edit({ catchup: "skip", grace_seconds: 86_400 });
    await w.sweep("2026-08-07T12:00");
    await w.edit(ALL);
    expect(await lines(w)).toEqual([
      ["07", "delivered", 10_800],
      ["06", "discarded", "skip"],
      ["05", "discarded", "skip"],
      ["04", "delivered", 10_800],
      ["03", "discarded", "latest"],
      ["02", "discarded", "latest"],
    ]);
  });

  test("shows discarded occurrences even if the skip policy delivered none", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { catchup: "skip", grace_seconds: 60 });
    await w.sweep("2026-08-03T12:00");
    expect(await lines(w)).toEqual([
      ["03", "discarded", "skip"],
      ["02", "discarded", "skip"],
    ]);
  });

  test("shows occurrences that are due but not delivered, and why the job was held when they came due", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    w.to("2026-08-02T10:00");
    expect(await lines(w)).toEqual([["02", "pending"]]);
    await w.given.closed(w.parent);
    w.to("2026-08-03T10:00");
    expect(await lines(w)).toEqual([
      ["03", "pending", "parent_closed"],
      ["02", "pending", "parent_closed"],
    ]);
    expect((await ledger(w)).job.held).toBe("parent_closed");
    await w.call(reopenIssue, { params: w.parent.path });
    await w.sweep("2026-08-03T11:00");
    expect((await ledger(w)).job).not.toHaveProperty("held");
    expect(await lines(w)).toEqual([
      ["03", "delivered", "parent_closed", 7200],
      ["02", "delivered", 93_600],
    ]);
  });

  test("names why a job is held: it is disabled or deleted, or its parent is deleted", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    const held = async () => (await ledger(w)).entries[0]?.held;
    w.to("2026-08-02T10:00");
    await w.edit({ enabled: false });
    expect(await held()).toBe("disabled");
    await w.edit({ enabled: true });
    expect(await held()).toBeUndefined();
    await w.call(archiveCronJob, { params: w.path, body: await w.guard() });
    expect(await held()).toBe("job_deleted");
    await w.call(restoreCronJob, { params: w.path, body: await w.guard() });
    const confirm = { "x-svc-confirm": `DELETE ${w.parent.qualified_id}` };
    await w.call(deleteIssue, { params: w.parent.path, headers: confirm });
    expect(await held()).toBe("parent_deleted");
    await w.call(restoreIssue, { params: w.parent.path });
    const project = { params: { project_id: w.path.project_id } };
    await w.call(removeProject, { ...project, query: { force: true } });
    await w.call(restoreProject, project);
    w.to("2026-08-02T11:00");
    expect(await held()).toBeUndefined();
  });

  test("says which occurrences came due while the project was archived", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    const project = { params: { project_id: w.path.project_id } };
    await w.call(removeProject, { ...project, query: { force: true } });
    w.to("2026-08-02T10:00");
    await w.call(restoreProject, project);
    await w.sweep("2026-08-02T10:00:01");
    expect(await lines(w)).toEqual([["02", "delivered", "project_archived", 3601]]);
  });

  test("is paged, even if one sweep discarded very many occurrences", async () => {
    const w = await jobWorld(open, "2026-08-01T00:00", {
      trigger: { kind: "interval", interval_seconds: 60 },
      catchup: "latest",
    });
    await w.sweep("2026-08-11T00:00");
    await w.sweep("2026-08-11T00:03");
    const first = await ledger(w, { limit: 5 });
    expect(first.entries.map(({ at: due, outcome }) => [due.slice(11, 16), outcome])).toEqual([
      ["00:03", "delivered"],
      ["00:02", "discarded"],
      ["00:01", "discarded"],
      ["00:00", "delivered"],
      ["23:59", "discarded"],
    ]);
    expect(first.next_before).toBe("2026-08-10T23:59:00Z");
    const second = await ledger(w, { limit: 2, before: first.next_before });
    expect(second.entries.map(({ at: due }) => due)).toEqual([
      "2026-08-10T23:58:00Z",
      "2026-08-10T23:57:00Z",
    ]);
    expect((await ledger(w)).entries).toHaveLength(50);
    expect((await ledger(w, { limit: 1000 })).entries).toHaveLength(1000);
    const end = await ledger(w, { before: "2026-08-01T00:03:00Z" });
    expect(end.entries.map(({ at: due }) => due)).toEqual([
      "2026-08-01T00:02:00Z",
      "2026-08-01T00:01:00Z",
    ]);
    expect(end).not.toHaveProperty("next_before");
  });

  test("finds checkpoints even when whole pages of other changes of the parent lie between them", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.sweep("2026-08-02T10:00");
    for (let at = 0; at < 205; at++) await w.given.metadata(w.parent, { count: at });
    await w.sweep("2026-08-03T10:00");
    expect(await lines(w)).toEqual([
      ["03", "delivered", 3600],
      ["02", "delivered", 3600],
    ]);
  });

  test("is refused for other kinds of jobs and for values outside its limits", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    const definition = but(X, { issue: { kind: "existing", uid: w.parent.uid } });
    const params = { project_id: w.path.project_id };
    const other = await w.call(createCronJob, {
      params,
      body: { name: "x", definition: definition as never },
    });
    const path = { ...params, cron_uid: other.job.uid };
    expect((await w.refused(showCronJobLedger, { params: path })).code).toBe("validation");
    for (const query of [{ limit: 0 }, { limit: 1001 }, { before: "yesterday" }])
      expect((await w.refused(showCronJobLedger, { params: w.path, query })).code).toBe(
        "validation",
      );
    await ledger(w, { limit: 1000, before: "2026-08-01T10:00:00+02:00" });
    const unknown = { ...params, cron_uid: "01K4M0000000000000000000Z9" };
    expect((await w.refused(showCronJobLedger, { params: unknown })).code).toBe("not_found");
    expect((await w.refused(previewCronJob, { params: unknown })).code).toBe("not_found");
  });
});

describeStore("the preview of a job", (open) => {
  test("the preview shows the next times on the clock of its zone and marks clock changes", async () => {
    const trigger = { kind: "cron", cron: "30 1,2 * * *", timezone: "America/New_York" };
    const w = await jobWorld(open, "2026-10-31T04:00", { ...ALL, trigger });
    const { job, now, occurrences } = await w.call(previewCronJob, {
      params: w.path,
      query: { limit: 6 },
    });
    expect([job.timezone, now]).toEqual(["America/New_York", "2026-10-31T04:00:00Z"]);
    expect(
      occurrences.map(({ local, offset, offset_changed }) => [local, offset, offset_changed]),
    ).toEqual([
      ["2026-10-31T01:30:00", "-04:00", false],
      ["2026-10-31T02:30:00", "-04:00", false],
      ["2026-11-01T01:30:00", "-04:00", false],
      ["2026-11-01T01:30:00", "-05:00", true],
      ["2026-11-01T02:30:00", "-05:00", false],
      ["2026-11-02T01:30:00", "-05:00", false],
    ]);
    expect(occurrences[3]?.at).toBe("2026-11-01T06:30:00Z");
  });

  test("the preview counts intervals from the anchor, and names the reason why a job is held", async () => {
    const trigger = { kind: "interval", interval_seconds: 3600 };
    const w = await jobWorld(open, "2026-08-01T10:07:30", { ...ALL, trigger, enabled: false });
    w.to("2026-08-01T12:00");
    const { job, occurrences } = await w.call(previewCronJob, { params: w.path });
    expect(job.held).toBe("disabled");
    expect(occurrences).toHaveLength(10);
    expect(occurrences[0]).toEqual({
      at: at("2026-08-01T12:07:30"),
      local: "2026-08-01T12:07:30",
      offset: "+00:00",
      offset_changed: false,
    });
  });

  test("the preview starts at a requested instant, and includes that instant", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", {
      trigger: { kind: "interval", interval_seconds: 3600 },
    });
    const first = async (from: string) => {
      const query = { limit: 1, from };
      return (await w.call(previewCronJob, { params: w.path, query })).occurrences[0]?.at;
    };
    expect(await first("2026-08-01T12:00:00Z")).toBe("2026-08-01T12:00:00Z");
    expect(await first("2026-08-01T14:00:00.001+02:00")).toBe("2026-08-01T13:00:00Z");
    // Nothing is due before the anchor.
    expect(await first("0001-01-01T00:00:00Z")).toBe("2026-08-01T11:00:00Z");
    w.to("2026-08-02T10:30");
    expect(await first("2026-08-01T10:00:00Z")).toBe("2026-08-01T11:00:00Z");
    const refused = await w.refused(previewCronJob, { params: w.path, query: { from: "soon" } });
    expect([refused.code, refused.data]).toMatchObject(["validation", { field: "from" }]);
  });

  test("the preview of a definition without a job counts from now and names what would hold the job", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", {});
    const params = { project_id: w.path.project_id };
    const trigger = { kind: "interval", interval_seconds: 3600 };
    const preview = async (change: object) => {
      const body = { name: "next", definition: but(w.definition, change) as never, limit: 1 };
      return await w.call(previewCronDefinition, { params, body });
    };
    w.to("2026-08-01T10:20:30");
    const before = await w.eventKinds();
    expect(await preview({ trigger })).toMatchObject({
      job: { name: "next", timezone: "UTC" },
      now: "2026-08-01T10:20:30Z",
      occurrences: [{ at: "2026-08-01T11:20:30Z" }],
    });
    expect((await preview({ trigger, enabled: false })).job.held).toBe("disabled");
    await w.given.closed(w.parent);
    expect((await preview({ trigger })).job.held).toBe("parent_closed");
    const issue = { ...R.issue, parent_uid: "01K4M0000000000000000000Z9" };
    const body = { name: "next", definition: but(w.definition, { issue }) as never };
    expect((await w.refused(previewCronDefinition, { params, body })).code).toBe("validation");
    expect((await w.eventKinds()).slice(0, before.length)).toEqual(before);
    const nowhere = { project_id: 999 };
    expect((await w.refused(previewCronDefinition, { params: nowhere, body })).code).toBe(
      "project_not_found",
    );
  });

  test("the preview shows the offset of a half-hour zone in full", async () => {
    const trigger = { kind: "cron", cron: "0 0 * * *", timezone: "Asia/Kolkata" };
    const w = await jobWorld(open, "2026-08-01T10:00", { ...ALL, trigger });
    const { occurrences } = await w.call(previewCronJob, { params: w.path, query: { limit: 1 } });
    expect(occurrences[0]).toMatchObject({ local: "2026-08-02T00:00:00", offset: "+05:30" });
  });

  test("the preview is empty for jobs that no clock triggers, and for a rule whose date never exists", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", {
      ...ALL,
      trigger: { kind: "cron", cron: "0 0 31 2 *" },
    });
    expect((await w.call(previewCronJob, { params: w.path })).occurrences).toEqual([]);
    const definition = but(X, { issue: { kind: "existing", uid: w.parent.uid } });
    const params = { project_id: w.path.project_id };
    const body = { name: "x", definition: definition as never };
    const { job } = await w.call(createCronJob, { params, body });
    const shown = await w.call(previewCronJob, { params: { ...params, cron_uid: job.uid } });
    expect([shown.occurrences, shown.job.held]).toEqual([[], "disabled"]);
    await w.call(previewCronJob, { params: w.path, query: { limit: 1000 } });
    for (const limit of [0, 1001])
      expect((await w.refused(previewCronJob, { params: w.path, query: { limit } })).code).toBe(
        "validation",
      );
  });
});
