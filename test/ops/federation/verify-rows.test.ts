import { expect, test } from "vitest";
import { createCronJob, replaceCronJob } from "../../../src/contract/cron-jobs.ts";
import { observeCronRun } from "../../../src/contract/cron-runs.ts";
import { createCronWorkflow } from "../../../src/contract/cron-workflows.ts";
import { importIssues } from "../../../src/contract/imports.ts";
import { patchProjectMetadata } from "../../../src/contract/project-actions.ts";
import { uid } from "../../store/drafts.ts";
import { answer } from "../../support/replica.ts";
import { describeStore, type OpenTestStore } from "../../support/store.ts";
import type { World } from "../../support/world.ts";
import { copied } from "./copied.ts";

const STEPS = { version: 1, steps: [{ kind: "command", key: "a", command: "make" }] } as const;
const jobOf = (prompt: string) =>
  ({
    ...{ version: 1, kind: "job", trigger: { kind: "manual" }, overlap: "forbid", catchup: "skip" },
    ...{ action: { kind: "execute", prompt }, issue: { kind: "existing", uid: uid(1) } },
  }) as never;

/** A copy of a hub with two issues, a workflow, a job and a run, whose project has metadata. */
async function withOthers(open: OpenTestStore, { push = false } = {}) {
  const made = { job: "", jobEvent: "", workflow: "", run: uid(700) };
  const it = await copied(open, 2, {
    push,
    fill: async (hub, { path: params }) => {
      const body = { patch: { z: { b: 1, a: 2 }, color: "red" } };
      await hub.call(patchProjectMetadata, { params, body });
      const flow = { name: "release", definition: STEPS as never };
      const { workflow } = await hub.call(createCronWorkflow, { params, body: flow });
      const { job } = await hub.call(createCronJob, {
        params,
        body: { name: "nightly", definition: jobOf("check") },
      });
      made.workflow = workflow.uid;
      [made.job, made.jobEvent] = [job.uid, job.definition_event_uid];
      await observe(hub, params.project_id, made, 0);
    },
  });
  return { ...it, made, rows: async () => (await it.verify(true)).rows };
}

async function observe(
  w: World,
  project_id: number,
  made: { readonly job: string; readonly jobEvent: string; readonly run: string },
  expected_revision: number,
) {
  const job = { job_uid: made.job, definition_event_uid: made.jobEvent };
  const summary = { version: 1, input_tokens: expected_revision };
  await w.call(observeCronRun, {
    params: { project_id, run_uid: made.run },
    body: { ...job, status: "running", summary, expected_revision },
  });
}

const OTHERS = { compared: 4, left_out: 0, different: 0, rows: [] };
type Made = Awaited<ReturnType<typeof withOthers>>["made"] & { readonly project: string };

const TAMPERED: readonly (readonly ["project" | keyof Made, string, string])[] = [
  ["project", "project", "metadata = '{}'"],
  ["workflow", "cron_workflows", "name = 'other'"],
  ["job", "cron_jobs", "definition = '{}'"],
  ["run", "cron_runs", "status = 'failed'"],
];

describeStore("rows of a copy that belong to no issue", (open) => {
  test("are compared too: those of the project, its workflows, jobs and runs", async () => {
    const { rows } = await withOthers(open);
    expect(await rows()).toMatchObject({ state: "equal", compared: 2, others: OTHERS });
  });

  test.each(TAMPERED)(
    "are named by kind and uid if they differ: %s",
    async (row, table, changed) => {
      const it = await withOthers(open);
      const made: Made = { ...it.made, project: it.project.uid };
      await it.tamperSpoke(`update ${table} set ${changed} where uid = '${made[row]}'`);
      const rows = await it.rows();
      expect(rows).toMatchObject({ state: "different", different: 0, cause: "faulty_fold" });
      expect(rows?.others).toMatchObject({
        ...{ compared: 4, different: 1 },
        rows: [{ row, uid: made[row], kind: "other_rows" }],
      });
    },
  );

  test("are named if one side lacks them", async () => {
    const it = await withOthers(open);
    await it.tamperHub(`delete from cron_runs where uid = '${it.made.run}'`);
    await it.tamperSpoke(`delete from cron_jobs where uid = '${it.made.job}'`);
    expect((await it.rows())?.others?.rows).toEqual([
      { row: "job", uid: it.made.job, kind: "missing_here" },
      { row: "run", uid: it.made.run, kind: "missing_there" },
    ]);
  });

  test("are compared each once, however many there are", async () => {
    const it = await withOthers(open);
    const columns =
      "project_uid, actor, status, summary, revision, created_at, updated_at, input_tokens, output_tokens, duration_ms, day";
    const copies = Array.from(
      { length: 1300 },
      (_, n) =>
        `insert into cron_runs (id, uid, ${columns}) select ${1000 + n}, '${uid(1000 + n)}', ${columns} from cron_runs where uid = '${it.made.run}'`,
    );
    await it.tamperHub(...copies);
    await it.tamperSpoke(...copies.slice(0, 700));
    const rows = await it.rows();
    expect(rows?.others).toMatchObject({ compared: 1304, different: 600 });
    expect(rows?.others?.rows).toHaveLength(100);
    expect(rows?.others?.rows[0]).toEqual({ row: "run", uid: uid(1700), kind: "missing_here" });
  });

  test("are left out if one side has changed them and the other side has not read this yet", async () => {
    const it = await withOthers(open, { push: true });
    await observe(it.hub, it.project.id, it.made, 1);
    await it.spoke.call(replaceCronJob, {
      params: { ...it.local.path, cron_uid: it.made.job },
      body: { name: "nightly", definition: jobOf("look"), expected_event_uid: it.made.jobEvent },
    });
    const { others } = (await it.rows()) ?? {};
    expect(others?.left_out).toBeGreaterThanOrEqual(2);
    expect(others?.different).toBe(0);
    await it.pull();
    expect(await it.rows()).toMatchObject({ state: "equal", others: OTHERS });
  });

  test("are equal after an import on the hub, and after the import was repeated with other texts", async () => {
    const it = await withOthers(open);
    const item = (external_id: string, title: string) => ({
      ...{ external_id, title, body: "", author: "cat", status: "open" as const },
      ...{ created_at: "2025-05-01T10:00:00Z", updated_at: "2025-06-01T10:00:00Z" },
      ...{ labels: [], metadata: {}, comments: [], links: [] },
    });
    for (const title of ["imported", "imported again"]) {
      const body = { source: "beads", items: [item("x", title)] };
      await it.hub.call(importIssues, { params: it.project.path, body });
      it.hub.clock.advance(1000);
      await it.pull();
      expect(await it.rows()).toMatchObject({ state: "equal", compared: 3, others: OTHERS });
    }
  });

  test("are not compared by an older hub, whose answer is called partial", async () => {
    const it = await withOthers(open);
    it.server.intercept((request, response) => {
      void answer(it.hub, request, response, (text) => {
        const { rows: _rows, ...older } = JSON.parse(text) as { rows?: unknown };
        return JSON.stringify(older);
      });
    });
    const rows = await it.rows();
    expect(rows).toMatchObject({ state: "partial", compared: 2, different: 0 });
    expect(rows).not.toHaveProperty("others");
    await it.tamperSpoke(`update issue set title = 'other' where uid = '${uid(1)}'`);
    expect(await it.rows()).toMatchObject({ state: "different", different: 1 });
  });
});
