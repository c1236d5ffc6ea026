import { expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import type { Log } from "../../src/base/log.ts";
import { assignIssue, closeIssue, reopenIssue } from "../../src/contract/actions.ts";
import {
  archiveCronJob,
  createCronJob,
  restoreCronJob,
  showCronJob,
} from "../../src/contract/cron-jobs.ts";
import { createIssue, patchIssueMetadata, showIssue } from "../../src/contract/issues.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { mergeProject, removeProject, restoreProject } from "../../src/contract/project-actions.ts";
import { deleteIssue, purgeIssue, restoreIssue } from "../../src/contract/removal.ts";
import { undoProject } from "../../src/contract/undo.ts";
import { slotOf } from "../../src/domain/inbox/slot.ts";
import type { Bulk } from "../../src/engines/bulk-write.ts";
import { sweepJobs } from "../../src/engines/cron-sweep.ts";
import { R } from "../domain/cron/bases.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { at, jobWorld, silent } from "./cron-job-world.ts";

const NY = "America/New_York";
const hours = (cron: string) => ({ kind: "cron", cron, timezone: NY });
const every = (interval_seconds: number) => ({ kind: "interval", interval_seconds });
const skippingLate = (grace_seconds: number) => ({ catchup: "skip", grace_seconds });
const ALL = { catchup: "all" };
const LATEST = { catchup: "latest" };

describeStore("a sweep", (open) => {
  test.each<[string, object, string, string, readonly string[]]>([
    ["1", ALL, "2026-08-01T09:00", "2026-08-01T09:00:30", []],
    ["2", ALL, "2026-08-01T08:59:59", "2026-08-01T09:00", ["2026-08-01T09:00"]],
    ["3", ALL, "2026-08-01T10:00", "2026-08-05T12:00", days("02", "03", "04", "05")],
    ["4", LATEST, "2026-08-01T10:00", "2026-08-05T12:00", days("05")],
    ["5", skippingLate(86_400), "2026-08-01T10:00", "2026-08-05T12:00", days("05")],
    ["6", skippingLate(3600), "2026-08-01T10:00", "2026-08-05T12:00", []],
    ["7", skippingLate(10_800), "2026-08-01T10:00", "2026-08-05T12:00", days("05")],
    ["7 less", skippingLate(10_799), "2026-08-01T10:00", "2026-08-05T12:00", []],
    ["8", skippingLate(200_000), "2026-08-01T10:00", "2026-08-05T12:00", days("03", "04", "05")],
    ["9 early", { trigger: every(3600), ...ALL }, "2026-08-01T10:07:30", "2026-08-01T11:07:29", []],
    [
      "9",
      { trigger: every(3600), ...ALL },
      "2026-08-01T10:07:30",
      "2026-08-01T11:07:30",
      ["2026-08-01T11:07:30"],
    ],
    [
      "10",
      { trigger: every(3600), ...ALL },
      "2026-08-01T10:07:30",
      "2026-08-01T15:00",
      ["2026-08-01T11:07:30", "2026-08-01T12:07:30", "2026-08-01T13:07:30", "2026-08-01T14:07:30"],
    ],
    [
      "11",
      { trigger: every(3600), ...LATEST },
      "2026-08-01T10:07:30",
      "2026-08-01T15:00",
      ["2026-08-01T14:07:30"],
    ],
    [
      "14",
      { trigger: every(600), ...skippingLate(1800) },
      "2026-08-01T00:00",
      "2026-08-01T06:05",
      ["2026-08-01T05:40", "2026-08-01T05:50", "2026-08-01T06:00"],
    ],
    [
      "18",
      { trigger: hours("0 9 * * 1-5"), ...ALL },
      "2026-10-29T20:00",
      "2026-11-03T15:00",
      ["2026-10-30T13:00", "2026-11-02T14:00", "2026-11-03T14:00"],
    ],
    [
      "19",
      { trigger: hours("30 2 * * *"), ...ALL },
      "2026-03-07T12:00",
      "2026-03-10T12:00",
      ["2026-03-09T06:30", "2026-03-10T06:30"],
    ],
    [
      "20",
      { trigger: hours("30 1 * * *"), ...ALL },
      "2026-10-31T12:00",
      "2026-11-02T12:00",
      ["2026-11-01T05:30", "2026-11-01T06:30", "2026-11-02T06:30"],
    ],
    [
      "21",
      { trigger: hours("30 1 * * *"), ...LATEST },
      "2026-10-31T12:00",
      "2026-11-01T06:00",
      ["2026-11-01T05:30"],
    ],
  ])(
    "a sweep delivers the occurrences that vector %s of docs/contract/cron-and-inbox.md#92-catch-up requires",
    async (_name, change, anchor, now, expected) => {
      const w = await jobWorld(open, anchor, change);
      expect(await w.sweep(now)).toEqual(expected.map(at));
      expect(await w.sweep(now)).toEqual([]);
      if (expected.length > 0) {
        expect((await w.progress())["through"]).toBe(at(expected.at(-1) ?? ""));
      }
      await expectFolded(w.store);
    },
  );

  test("an interval that is edited keeps its anchor (vector 12)", async () => {
    const w = await jobWorld(open, "2026-08-01T10:07:30", { trigger: every(3600), ...ALL });
    expect(await w.sweep("2026-08-01T12:07:30")).toHaveLength(2);
    w.to("2026-08-01T14:59");
    await w.edit({ trigger: every(5400) });
    expect(await w.sweep("2026-08-01T15:00")).toEqual([
      "2026-08-01T13:07:30Z",
      "2026-08-01T14:37:30Z",
    ]);
  });

  test("a sweep creates at most 1000 children of a job, and the next sweep continues (vector 13)", async () => {
    const w = await jobWorld(open, "2026-08-01T00:00", { trigger: every(60), ...ALL });
    const first = await w.sweep("2026-08-02T00:00");
    expect([first.length, first[0], first.at(-1)]).toEqual([
      1000,
      "2026-08-01T00:01:00Z",
      "2026-08-01T16:40:00Z",
    ]);
    const second = await w.sweep("2026-08-02T00:00:30");
    expect([second.length, second[0], second.at(-1)]).toEqual([
      440,
      "2026-08-01T16:41:00Z",
      "2026-08-02T00:00:00Z",
    ]);
  }, 120_000);

  test("a sweep scans at most 20,000 occurrences, and the next sweep continues to the same horizon (vector 15)", async () => {
    const w = await jobWorld(open, "2026-08-01T00:00", {
      trigger: { kind: "cron", cron: "* * * * *" },
    });
    expect(await w.sweep("2026-08-15T00:00")).toEqual([]);
    expect(await w.progress()).toMatchObject({
      through: "2026-08-01T00:00:00Z",
      scan: {
        horizon: "2026-08-15T00:00:00Z",
        cursor: "2026-08-14T21:20:00Z",
        candidate: "2026-08-14T21:20:00Z",
      },
    });
    expect(await w.sweep("2026-08-15T00:02")).toEqual(["2026-08-15T00:00:00Z"]);
    expect(await w.sweep("2026-08-15T00:02:30")).toEqual(["2026-08-15T00:02:00Z"]);
  });

  test("a sweep needs a second run for exactly 20,000 occurrences, but not for 19,999", async () => {
    const minutely = { trigger: { kind: "cron", cron: "* * * * *" } };
    const w = await jobWorld(open, "2026-08-01T00:00", minutely);
    expect(await w.sweep("2026-08-14T21:19:59")).toEqual(["2026-08-14T21:19:00Z"]);
    const other = await jobWorld(open, "2026-08-01T00:00", minutely);
    expect(await other.sweep("2026-08-14T21:20")).toEqual([]);
    expect(await other.sweep("2026-08-14T21:20")).toEqual(["2026-08-14T21:20:00Z"]);
  });

  test("a sweep starts an unfinished scan again after an edit (vector 16)", async () => {
    const w = await jobWorld(open, "2026-08-01T00:00", {
      trigger: { kind: "cron", cron: "* * * * *" },
    });
    await w.sweep("2026-08-15T00:00");
    await w.edit({ action: { kind: "notify", recipient: "worker" } });
    expect(await w.sweep("2026-08-15T00:00:30")).toEqual([]);
    const { definition_event_uid } = (await w.call(showCronJob, { params: w.path })).job;
    expect(await w.progress()).toMatchObject({
      scan: {
        definition_event_uid,
        horizon: "2026-08-15T00:00:30Z",
        cursor: "2026-08-14T21:20:00Z",
      },
    });
  });

  test("a sweep after an edit of the schedule delivers only occurrences after those that are settled", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.sweep("2026-08-03T12:00");
    await w.edit({ trigger: { kind: "cron", cron: "0 6 * * *" } });
    expect(await w.sweep("2026-08-05T12:00")).toEqual([
      "2026-08-04T06:00:00Z",
      "2026-08-05T06:00:00Z",
    ]);
  });

  test("a sweep delivers what a job missed while it was disabled since its creation (vector 22)", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { ...ALL, enabled: false });
    expect(await w.sweep("2026-08-05T11:00")).toEqual([]);
    w.to("2026-08-05T11:59");
    await w.edit({ enabled: true });
    expect(await w.sweep("2026-08-05T12:00")).toEqual(days("02", "03", "04", "05").map(at));
  });

  test("a sweep skips the job of a closed parent, and continues after the parent is reopened (vector 23)", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    const first = await w.sweep("2026-08-02T11:00");
    expect(first).toEqual(days("02").map(at));
    const [child] = await w.children();
    w.to("2026-08-02T12:00");
    await w.call(closeIssue, {
      params: { ...w.parent.path, ref: child?.uid ?? "" },
      body: { source: "tui" },
    });
    await w.given.closed(w.parent);
    expect(await w.sweep("2026-08-04T12:00")).toEqual([]);
    w.to("2026-08-05T11:59");
    await w.call(reopenIssue, { params: w.parent.path });
    expect(await w.sweep("2026-08-05T12:00")).toEqual(days("03", "04", "05").map(at));
  });

  test("a sweep skips a deleted job, and the jobs of a deleted parent and of an archived project", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.call(archiveCronJob, { params: w.path, body: await w.guard() });
    expect(await w.sweep("2026-08-02T12:00")).toEqual([]);
    await w.call(restoreCronJob, { params: w.path, body: await w.guard() });
    const confirm = `DELETE ${w.parent.qualified_id}`;
    await w.call(deleteIssue, { params: w.parent.path, headers: { "x-svc-confirm": confirm } });
    expect(await w.sweep("2026-08-02T13:00")).toEqual([]);
    await w.call(restoreIssue, { params: w.parent.path });
    const project = { params: { project_id: w.path.project_id } };
    await w.call(removeProject, { ...project, query: { force: true } });
    expect(await w.sweep("2026-08-02T14:00")).toEqual([]);
    await w.call(restoreProject, project);
    expect(await w.sweep("2026-08-03T12:00")).toEqual(days("02", "03").map(at));
    expect(w.warnings).toEqual([]);
    await expectFolded(w.store);
  });

  test.each<[string, unknown]>([
    ["missing", null],
    ["no object", "x"],
    ["of another version", { version: 2 }],
    ["with an extra member", { more: 1 }],
    ["settled before its beginning", { through: "2026-07-01T00:00:00Z" }],
    ["with an instant in another format", { through: "2026-08-02T09:00:00.000Z" }],
    ["with an incomplete last delivery", { last_occurrence: "2026-08-01T10:00:00Z" }],
    ["with an invalid scan", { scan: {} }],
  ])(
    "a sweep holds a job whose checkpoint is %s, with one warning each sweep (vector 25)",
    async (_name, change) => {
      const w = await jobWorld(open, "2026-08-01T10:00", ALL);
      const key = `cron.progress.${w.job.uid}`;
      const from = await w.progress();
      const to = typeof change === "object" && change !== null ? { ...from, ...change } : change;
      await w.append({
        type: "issue.metadata_updated",
        actor: "system",
        project_uid: w.parent.project_uid ?? "",
        issue_uid: w.parent.uid,
        payload: {
          diff: { [key]: { from, to: to as never } },
          revision_new: 3,
          updated_at: w.clock.now(),
        },
      });
      expect(await w.sweep("2026-08-05T12:00")).toEqual([]);
      expect(w.warnings).toEqual([
        { event: "cron.job_held", job_uid: w.job.uid, reason: "cron_progress_invalid" },
      ]);
    },
  );

  test("a sweep delivers nothing again after the clock was put back (vector 26)", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", LATEST);
    await w.sweep("2026-08-05T12:00");
    expect(await w.sweep("2026-08-04T00:00")).toEqual([]);
    expect(await w.sweep("2026-08-05T13:00")).toEqual([]);
    expect(await w.sweep("2026-08-06T09:00")).toEqual(days("06").map(at));
  });

  test("a sweep creates a child as an ordinary issue with its origin, a request and the parent's owner", async () => {
    const owner = { owner: "bea", actor: "cy" };
    const w = await jobWorld(open, "2026-08-01T10:00", ALL, owner);
    await w.call(acquireIssueLease, { params: w.parent.path, actor: "dan" });
    const before = (await w.events()).length;
    const { revision } = (await w.call(showIssue, { params: w.parent.path })).issue;
    await w.sweep("2026-08-02T12:00");
    const made = (await w.events()).slice(before);
    expect(made.map(({ type, actor }) => [type, actor])).toEqual([
      ["issue.created", "system"],
      ["issue.metadata_updated", "system"],
    ]);
    const uid = made[0]?.issue_uid ?? "";
    const { issue, parent } = await w.call(showIssue, { params: { ...w.parent.path, ref: uid } });
    expect(parent).toMatchObject({ uid: w.parent.uid });
    const occurrence = `cron:${w.job.uid}:2026-08-02T09:00:00Z`;
    expect(issue).toMatchObject({
      title: "Weekday check (2026-08-02T09:00:00Z)",
      body: "",
      status: "open",
      author: "cy",
      owner: "bea",
      metadata: {
        "cron.occurrence": {
          version: 1,
          job_uid: w.job.uid,
          definition_event_uid: w.job.definition_event_uid,
          parent_uid: w.parent.uid,
          occurrence_key: occurrence,
          scheduled_at: "2026-08-02T09:00:00Z",
        },
        [slotOf("bea")]: {
          from: "system",
          message: "Recurring occurrence reached: 2026-08-02T09:00:00Z",
          occurrence,
        },
      },
    });
    expect(Object.keys(issue.metadata)).toHaveLength(2);
    const after = (await w.call(showIssue, { params: w.parent.path })).issue;
    expect(after.revision).toBe(revision + 1);
    expect(await w.progress()).toEqual({
      version: 1,
      anchor: "2026-08-01T10:00:00Z",
      through: "2026-08-02T09:00:00Z",
      last_occurrence: "2026-08-02T09:00:00Z",
      last_child_uid: uid,
      scan: null,
    });
  });

  test("a sweep sends a request to the author if there is no owner, or to a named recipient with the job's own text", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.sweep("2026-08-02T12:00");
    await w.call(assignIssue, { params: w.parent.path, body: { owner: "n".repeat(200) } });
    await w.sweep("2026-08-03T12:00");
    await w.edit({
      action: { kind: "notify", recipient: "worker/adapter", message: "go" },
      issue: { ...R.issue, parent_uid: w.parent.uid, title: "Other", body: "do it" },
    });
    await w.sweep("2026-08-04T12:00");
    const slots = (await w.children()).map(({ metadata, owner, title, body }) => {
      const { "cron.occurrence": _origin, ...rest } = metadata;
      return { owner, title, body, slots: Object.keys(rest) };
    });
    const title = (day: string) => `Weekday check (2026-08-${day}T09:00:00Z)`;
    expect(slots).toEqual([
      { owner: undefined, title: title("02"), body: "", slots: [slotOf("ann")] },
      { owner: "n".repeat(200), title: title("03"), body: "", slots: [] },
      {
        owner: "n".repeat(200),
        title: "Other (2026-08-04T09:00:00Z)",
        body: "do it",
        slots: [slotOf("worker/adapter")],
      },
    ]);
    expect(w.warnings).toEqual([{ event: "cron.nobody_asked", job_uid: w.job.uid }]);
    const [, , last] = await w.children();
    expect(last?.metadata[slotOf("worker/adapter")]).toMatchObject({ message: "go" });
  });

  test("a sweep does not deliver again, whatever happens to the child", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.sweep("2026-08-03T12:00");
    const [first, second] = await w.children();
    const path = (ref = "") => ({ ...w.parent.path, ref });
    await w.call(patchIssueMetadata, {
      params: path(first?.uid),
      body: { patch: { [slotOf("ann")]: null } },
    });
    await w.call(closeIssue, { params: path(first?.uid), body: { source: "tui" } });
    const shown = (await w.call(showIssue, { params: path(second?.uid) })).issue;
    await w.call(purgeIssue, {
      params: path(second?.uid),
      headers: { "x-svc-confirm": `PURGE ${shown.qualified_id}` },
    });
    const left = (await w.delivered()).length;
    await w.sweep("2026-08-03T13:00");
    expect(await w.delivered()).toHaveLength(left);
    expect((await w.progress())["through"]).toBe("2026-08-03T09:00:00Z");
  });

  test("a sweep records deliveries in metadata keys that no actor can change", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.sweep("2026-08-02T12:00");
    const [child] = await w.children();
    const progress = `cron.progress.${w.job.uid}`;
    const path = { ...w.parent.path, ref: child?.uid ?? "" };
    for (const value of [null, {}]) {
      for (const [params, key] of [
        [w.parent.path, progress],
        [path, "cron.occurrence"],
      ] as const) {
        const refused = await w.refused(patchIssueMetadata, {
          params,
          body: { patch: { [key]: value } },
        });
        expect(refused.code).toBe("invalid_metadata_value");
      }
    }
    for (const key of [progress, "cron.occurrence"]) {
      const body = { title: "mine", metadata: { [key]: {} } };
      const refused = await w.refused(createIssue, { params: w.path, body });
      expect(refused.code).toBe("invalid_metadata_value");
    }
  });

  test("a sweep does not deliver again after an undo removed the children", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.sweep("2026-08-02T12:00");
    const before = await w.progress();
    for (const of_actor of ["system", "ann"]) {
      const body = { of_actor, since: "2026-08-01T10:00:00Z" };
      const plan = await w.call(undoProject, { params: w.path, body: { ...body, dry_run: true } });
      const headers = { "x-svc-confirm": plan.confirm };
      await w.send(undoProject, { params: w.path, body, headers });
      expect(await w.progress()).toEqual(before);
    }
    expect(await w.sweep("2026-08-02T13:00")).toEqual([]);
    expect(await w.sweep("2026-08-03T13:00")).toEqual(days("03").map(at));
    await expectFolded(w.store);
  });

  test("a sweep delivers everything after a merge, and nothing more after the parent was purged", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    await w.sweep("2026-08-02T12:00");
    const target = await w.given.project("target");
    await w.call(mergeProject, {
      params: { project_id: target.id },
      body: { source_project_id: w.path.project_id },
    });
    expect(await w.sweep("2026-08-03T12:00")).toEqual(days("03").map(at));
    const params = { project_id: target.id, ref: w.parent.uid };
    const { qualified_id } = (await w.call(showIssue, { params })).issue;
    await w.call(purgeIssue, { params, headers: { "x-svc-confirm": `PURGE ${qualified_id}` } });
    expect(await w.sweep("2026-08-05T12:00")).toEqual([]);
    await expectFolded(w.store);
  });

  test("overlapping sweeps deliver each occurrence once", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { trigger: every(60), ...ALL });
    w.to("2026-08-01T11:00");
    const deps = { ...w, log: silent };
    await Promise.all([sweepJobs(deps), sweepJobs(deps), sweepJobs(deps)]);
    const made = await w.delivered();
    expect(new Set(made).size).toBe(60);
    expect(made).toHaveLength(60);
    await expectFolded(w.store);
  });

  test("a sweep delivers many due jobs a page at a time, with the same result as one by one", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { trigger: every(60), ...ALL });
    w.to("2026-08-01T14:00");
    let pages = 0;
    const bulk: Bulk = async (write, input) => {
      pages += 1;
      return await write.run(w, input);
    };
    await sweepJobs({ ...w, log: silent, bulk });
    const expected = Array.from({ length: 240 }, (_, minute) =>
      msToInstant(instantToMs("2026-08-01T10:01:00Z") + minute * 60_000).replace(".000", ""),
    );
    expect([pages, await w.delivered()]).toEqual([3, expected]);
    await expectFolded(w.store);
  });

  test("a sweep delivers the jobs of a page one by one if the page fails", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", { trigger: every(60), ...ALL });
    w.to("2026-08-01T10:30");
    const warnings: string[] = [];
    const log = { ...silent, warn: (event: string) => warnings.push(event) } as unknown as Log;
    const bulk: Bulk = async () => {
      throw new Error("no page");
    };
    await sweepJobs({ ...w, log, bulk });
    expect([warnings, (await w.delivered()).length]).toEqual([["cron.page_failed"], 30]);
  });

  test("a sweep keeps delivering other jobs when one fails", async () => {
    const w = await jobWorld(open, "2026-08-01T10:00", ALL);
    const body = { name: "other", definition: w.definition as never };
    await w.call(createCronJob, { params: w.path, body });
    let first = true;
    const ids = {
      ulid: () => {
        if (!first) return w.ids.ulid();
        first = false;
        throw new Error("no id");
      },
    };
    const warnings: string[] = [];
    w.to("2026-08-02T12:00");
    const log = { ...silent, warn: (event: string) => warnings.push(event) } as unknown as Log;
    const swept = await sweepJobs({ ...w, ids, log });
    expect(warnings).toEqual(["cron.job_failed"]);
    expect(swept.jobs).toBe(1);
  });
});

function days(...of: readonly string[]): readonly string[] {
  return of.map((day) => `2026-08-${day}T09:00`);
}
