import { expect, test } from "vitest";
import { archiveCronJob, createCronJob, replaceCronJob } from "../../src/contract/cron-jobs.ts";
import {
  listCronRuns,
  listRunningCronRuns,
  observeCronRun,
  reportCronRuns,
  showCronRun,
} from "../../src/contract/cron-runs.ts";
import { createCronWorkflow } from "../../src/contract/cron-workflows.ts";
import { mergeProject } from "../../src/contract/project-actions.ts";
import { observeCronRun as observe } from "../../src/ops/cron/runs/observe.ts";
import { but, W, X } from "../domain/cron/bases.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const RUN = "01K4M0000000000000000000R1";
const OTHER = "01K4M0000000000000000000R2";
/** The longest message of a summary. */
const LONGEST = 65_536 - '{"message":"","version":1}'.length;
const ABSENT = "01K4M0000000000000000000Z9";

async function runWorld(open: Parameters<typeof world>[0]["store"]) {
  const w = await world({ store: open });
  const issue = await w.given.issue();
  const params = { project_id: issue.path.project_id };
  const definition = but(X, { issue: { kind: "existing", uid: issue.uid } });
  const body = { name: "nightly", definition: definition as never };
  const { job } = await w.call(createCronJob, { params, body });
  const pair = { job_uid: job.uid, definition_event_uid: job.definition_event_uid };
  const base = {
    ...pair,
    status: "running",
    summary: { version: 1 },
    expected_revision: 0,
  } as const;
  const path = (run_uid = RUN) => ({ ...params, run_uid });
  const put = async (change: object = {}, uid = RUN) =>
    await w.call(observeCronRun, { params: path(uid), body: but(base, change) });
  const refused = async (change: object = {}, uid = RUN) =>
    await w.refused(observeCronRun, { params: path(uid), body: but(base, change) });
  const observed = async () =>
    (await w.events()).filter(({ type }) => type === "cron.run.observed").length;
  return { ...w, issue, params, definition, job, pair, base, path, put, refused, observed };
}

describeStore("observations of runs", (open) => {
  test("the report by day lists days in order, whatever their cost, and only the newest days if it is limited", async () => {
    const w = await runWorld(open);
    for (const [at, [day, input_tokens]] of Object.entries([
      ["02", 5],
      ["01", 1],
      ["03", 9],
    ] as const))
      await w.put(
        { started_at: `2026-03-${day}T10:00:00Z`, summary: { version: 1, input_tokens } },
        `01K4M0000000000000000000R${at}`,
      );
    const days = async (query: object) =>
      (await w.call(reportCronRuns, { params: w.params, query })).groups.map(({ key }) => key);
    expect(await days({ by: "day" })).toEqual(["2026-03-01", "2026-03-02", "2026-03-03"]);
    expect(await days({ by: "day", limit: 2 })).toEqual(["2026-03-02", "2026-03-03"]);
  });

  test("may name a version of a definition that only a snapshot event has", async () => {
    const w = await runWorld(open);
    const [job_uid, event_uid] = ["01K4M0000000000000000000J1", "01K4M0000000000000000000E1"];
    const { uid } = w.job;
    const project_uid = w.issue.project_uid ?? "";
    const clock = { version: 1, physical_ms: 5, counter: 0, origin_instance_uid: ABSENT } as const;
    const written = { definition_hlc: clock, revision: 1, author: "ann" };
    const times = { created_at: w.clock.now(), updated_at: w.clock.now() };
    const payload = { project_uid, name: "weekly", definition: {}, ...written, ...times };
    for (const [of, definition_event_uid] of [
      [job_uid, event_uid],
      [uid, ABSENT],
    ] as const)
      await w.append({
        type: "cron.job.snapshot",
        actor: "ann",
        project_uid,
        payload: { ...payload, uid: of, definition_event_uid },
      });
    expect((await w.refused({ job_uid, definition_event_uid: ABSENT })).code).toBe("validation");
    expect((await w.refused({ definition_event_uid: event_uid })).code).toBe("validation");
    const { run } = await w.put({ job_uid, definition_event_uid: event_uid });
    expect(run).toMatchObject({ job_uid, definition_event_uid: event_uid });
    await expectFolded(w.store);
  });

  test("instants keep the spelling they were sent with and are compared to the last digit", async () => {
    const w = await runWorld(open);
    const started_at = "2026-01-01T02:00:00.123456789+02:00";
    const ended_at = "2026-01-01T00:00:00.1234567895Z";
    const { run } = await w.put({ started_at, ended_at, status: "succeeded" });
    expect(run).toMatchObject({ started_at, ended_at });
    const same = { started_at: "2026-01-01T00:00:00.1234567890Z", ended_at, status: "succeeded" };
    expect(await w.put({ ...same, expected_revision: 7 })).toMatchObject({
      replayed: true,
      run: { started_at },
    });
    const earlier = { ...same, started_at: "2026-01-01T00:00:00.123456788Z", expected_revision: 1 };
    expect(await w.put(earlier)).toMatchObject({ replayed: false, run: { revision: 2 } });
    const before = { ...same, ended_at: "2026-01-01T00:00:00.123456788Z", expected_revision: 2 };
    expect((await w.refused(before)).data).toEqual({ field: "ended_at" });
    const report = await w.call(reportCronRuns, { params: w.params, query: { by: "day" } });
    expect(report.groups.map(({ key }) => key)).toEqual(["2026-01-01"]);
    await expectFolded(w.store);
  });

  test("a new run is recorded with its event, shown and listed", async () => {
    const w = await runWorld(open);
    const sent = {
      issue_uid: w.issue.uid.toLowerCase(),
      occurrence_key: "key",
      teammate: "a b",
      executor_label: "box-1",
      started_at: "2026-01-01T02:00:00+02:00",
      summary: { version: 1, message: "at it", input_tokens: 5 },
    };
    const { run, events, replayed } = await w.put(sent, RUN.toLowerCase());
    expect(run).toEqual({
      id: 1,
      uid: RUN,
      project_id: w.params.project_id,
      ...w.pair,
      ...sent,
      issue_uid: w.issue.uid,
      actor: "ann",
      status: "running",
      revision: 1,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    });
    expect([replayed, events.map(({ type, actor }) => [type, actor])]).toEqual([
      false,
      [["cron.run.observed", "ann"]],
    ]);
    expect((await w.call(showCronRun, { params: w.path() })).run).toEqual(run);
    expect(await w.call(listCronRuns, { params: w.params })).toEqual({ runs: [run] });
    await expectFolded(w.store);
  });

  test("two runs may have the same occurrence and the same issue", async () => {
    const w = await runWorld(open);
    const same = { occurrence_key: "key", issue_uid: w.issue.uid };
    expect([(await w.put(same)).run.revision, (await w.put(same, OTHER)).run.revision]).toEqual([
      1, 1,
    ]);
  });

  // The numbers of cases are those of docs/contract/cron-and-inbox.md#45-cases.
  test.each<[string, object]>([
    ["no difference (case 2)", {}],
    ["another expected_revision (case 3)", { expected_revision: 7 }],
    ["no expected_revision", { expected_revision: undefined }],
    ["zero input tokens (case 4)", { summary: { version: 1, input_tokens: 0 } }],
    [
      "zero output tokens and an empty message (case 4)",
      { summary: { version: 1, output_tokens: 0, message: "" } },
    ],
    ["the start in another zone (case 5)", { started_at: "2026-01-01T02:00:00+02:00" }],
    ["teammate null (case 11)", { teammate: null }],
    ["the job's uid in lower case", { job_uid: "lower" }],
  ])("the same observation sent again with %s changes nothing", async (_name, change) => {
    const w = await runWorld(open);
    const first = await w.put({ started_at: "2026-01-01T00:00:00Z" });
    w.clock.advance(1000);
    const lower = "job_uid" in change ? { job_uid: w.job.uid.toLowerCase() } : change;
    const again = await w.put({ started_at: "2026-01-01T00:00:00Z", ...lower });
    expect(again).toEqual({ run: first.run, events: [], replayed: true });
    expect(await w.observed()).toBe(1);
  });

  test("new evidence needs the current revision, and any status may follow any other", async () => {
    const w = await runWorld(open);
    await w.put();
    w.clock.advance(1000);
    const { run } = await w.put({ status: "succeeded", expected_revision: 1 });
    expect(run).toMatchObject({
      status: "succeeded",
      revision: 2,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:01.000Z",
    });
    for (const expected_revision of [1, 0, undefined]) {
      expect(await w.refused({ status: "failed", expected_revision })).toMatchObject({
        code: "cron_conflict",
        data: { current: { revision: 2, status: "succeeded" } },
      });
    }
    for (const [at, status] of ["running", "unknown", "cancelled", "failed"].entries())
      expect((await w.put({ status, expected_revision: 2 + at })).run.revision).toBe(3 + at);
    expect(await w.observed()).toBe(6);
    await expectFolded(w.store);
  });

  test.each<[string, object]>([
    ["another executor label (case 6)", { executor_label: "other" }],
    ["another actor (case 10)", { actor: "bea" }],
    ["another teammate", { teammate: "t" }],
    ["another occurrence key", { occurrence_key: "other" }],
    ["another issue", { issue_uid: ABSENT }],
    ["another event of the definition", { definition_event_uid: ABSENT }],
    ["a workflow beside the job", { workflow_uid: ABSENT, workflow_definition_event_uid: ABSENT }],
  ])(
    "a run with the same uid and the same evidence is a conflict if its identity differs: %s",
    async (_name, change) => {
      const w = await runWorld(open);
      await w.put();
      expect(await w.refused({ expected_revision: 1, ...change })).toMatchObject({
        code: "cron_conflict",
        data: { current: { uid: RUN, revision: 1 } },
      });
      expect(await w.observed()).toBe(1);
    },
  );

  test("the uid of another project's run is refused as taken, and that run is not shown", async () => {
    const w = await runWorld(open);
    await w.put();
    const other = await w.given.project("other");
    const elsewhere = { project_id: other.id, run_uid: RUN };
    const response = await w.send(observeCronRun, { params: elsewhere, body: w.base });
    const { error } = (await response.json()) as { error: { code: string; data?: object } };
    expect([error.code, error.data]).toEqual(["cron_conflict", undefined]);
    const shown = await w.send(showCronRun, { params: elsewhere });
    expect(shown.status).toBe(404);
  });

  test.each<[number, boolean]>([
    [1, false],
    [undefined as never, false],
    [0, true],
  ])(
    "a new run with the expected_revision %s is recorded: %s",
    async (expected_revision, recorded) => {
      const w = await runWorld(open);
      if (recorded) {
        await w.put({ expected_revision });
        return;
      }
      const refused = await w.refused({ expected_revision });
      expect(refused.code).toBe("cron_conflict");
      expect(refused.data).toBeUndefined();
    },
  );

  test.each<[string, string, object]>([
    ["an empty teammate (case 12)", "teammate", { teammate: "" }],
    ["a long teammate", "teammate", { teammate: "t".repeat(65) }],
    ["a teammate beyond ASCII", "teammate", { teammate: "é" }],
    [
      "an unknown event of the job (case 13)",
      "definition_event_uid",
      { definition_event_uid: ABSENT },
    ],
    [
      "a job without an event (case 15)",
      "definition_event_uid",
      { definition_event_uid: undefined },
    ],
    ["an event without a job", "job_uid", { job_uid: undefined }],
    [
      "neither job nor workflow",
      "job_uid",
      { job_uid: undefined, definition_event_uid: undefined },
    ],
    [
      "the event of a workflow without the workflow",
      "workflow_uid",
      { workflow_definition_event_uid: ABSENT },
    ],
    [
      "an unknown workflow",
      "workflow_definition_event_uid",
      { workflow_uid: ABSENT, workflow_definition_event_uid: ABSENT },
    ],
    [
      "an end before the start (case 16)",
      "ended_at",
      { started_at: "2026-01-01T00:00:01Z", ended_at: "2026-01-01T00:00:00Z" },
    ],
    ["a date in place of an instant", "started_at", { started_at: "2026-01-01" }],
    ["a job that is no ULID", "job_uid", { job_uid: "nightly" }],
    ["an unknown issue", "issue_uid", { issue_uid: ABSENT }],
    ["an empty key", "occurrence_key", { occurrence_key: "" }],
    ["a long key", "occurrence_key", { occurrence_key: "😀".repeat(1025) }],
    ["a blank label", "executor_label", { executor_label: " " }],
    ["an invisible label", "executor_label", { executor_label: "\u200b" }],
    ["a long label", "executor_label", { executor_label: "l".repeat(257) }],
    ["a label of many bytes", "executor_label", { executor_label: "é".repeat(129) }],
    ["a long actor", "actor", { actor: "a".repeat(257) }],
    ["no actor", "actor", { actor: "" }],
    ["an unknown status", "status", { status: "done" }],
    ["a summary of version 2", "summary.version", { summary: { version: 2 } }],
    ["a summary with an unknown field", "summary.note", { summary: { version: 1, note: 1 } }],
    ["tokens below zero", "summary.input_tokens", { summary: { version: 1, input_tokens: -1 } }],
    ["half a token", "summary.output_tokens", { summary: { version: 1, output_tokens: 0.5 } }],
    ["a long summary", "summary", { summary: { version: 1, message: "m".repeat(LONGEST + 1) } }],
    ["a negative revision", "expected_revision", { expected_revision: -1 }],
    ["a created_at of its own", "created_at", { created_at: "2026-01-01T00:00:00Z" }],
  ])("a run with %s is refused, and the error names the field %s", async (_name, field, change) => {
    const w = await runWorld(open);
    const refused = await w.refused(change);
    expect([refused.code, refused.data?.["field"]]).toEqual(["validation", field]);
    expect(await w.observed()).toBe(0);
  });

  test("values of the greatest allowed length are accepted", async () => {
    const w = await runWorld(open);
    const message = "m".repeat(LONGEST);
    const { run } = await w.put({
      summary: { version: 1, message },
      occurrence_key: "😀".repeat(1024),
      executor_label: "é".repeat(128),
      actor: "a".repeat(256),
      teammate: "t".repeat(64),
      ended_at: "2026-01-01T00:00:00Z",
    });
    expect(run.summary["message"]).toBe(message);
    await w.put({ started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:00Z" }, OTHER);
  });

  test.each([
    [98_304, 400],
    [98_305, 413],
  ])("a request body of %i bytes is answered with the status %i", async (bytes, status) => {
    const w = await runWorld(open);
    const body = JSON.stringify({ ...w.base, actor: "ann", note: "" });
    const padded = body.replace('"note":""', `"note":"${"n".repeat(bytes - body.length)}"`);
    const url = `http://localhost/api/v1/projects/${w.params.project_id}/cron/runs/${RUN}`;
    const headers = { "content-type": "application/json" };
    const response = await w.app.fetch(new Request(url, { method: "PUT", headers, body: padded }));
    expect(response.status).toBe(status);
  });

  test("a run may name an older version of a job that is deleted by now", async () => {
    const w = await runWorld(open);
    const params = { ...w.params, cron_uid: w.job.uid };
    const body = { name: "other", definition: w.definition as never };
    const { job } = await w.call(replaceCronJob, {
      params,
      body: { ...body, expected_event_uid: w.job.definition_event_uid },
    });
    const gone = await w.call(archiveCronJob, {
      params,
      body: { expected_event_uid: job.definition_event_uid },
    });
    await w.put();
    await w.put({ definition_event_uid: gone.job.definition_event_uid }, OTHER);
    expect(await w.observed()).toBe(2);
  });

  test("a run is refused if it names a definition of another project, of another job or of the other kind", async () => {
    const w = await runWorld(open);
    const flow = await w.call(createCronWorkflow, {
      params: w.params,
      body: { name: "w", definition: W as never },
    });
    const pair = {
      workflow_uid: flow.workflow.uid,
      workflow_definition_event_uid: flow.workflow.definition_event_uid,
    };
    await w.put({ ...pair, job_uid: undefined, definition_event_uid: undefined });
    await w.put(pair, OTHER);
    const crossed = { definition_event_uid: pair.workflow_definition_event_uid };
    expect((await w.refused(crossed, ABSENT)).data?.["field"]).toBe("definition_event_uid");
    const second = await w.call(createCronJob, {
      params: w.params,
      body: { name: "second", definition: w.definition as never },
    });
    const wrong = { definition_event_uid: second.job.definition_event_uid };
    expect((await w.refused(wrong, ABSENT)).data?.["field"]).toBe("definition_event_uid");
    const other = await w.given.project("other");
    const refused = await w.send(observeCronRun, {
      params: { project_id: other.id, run_uid: ABSENT },
      body: w.base,
    });
    expect(refused.status).toBe(400);
  });

  test("a run may name a deleted issue", async () => {
    const w = await runWorld(open);
    const issue = await w.given.issue({ project: { id: w.params.project_id } });
    await w.given.deleted(issue);
    expect((await w.put({ issue_uid: issue.uid })).run.issue_uid).toBe(issue.uid);
  });

  test("the actor of a credential replaces the actor in the request, and may continue another actor's run", async () => {
    const w = await runWorld(open);
    await w.put();
    const input = {
      params: w.path(),
      query: {},
      headers: {},
      body: { ...w.base, actor: "eve", status: "succeeded", expected_revision: 1 },
    } as const;
    const { run, events } = await observe(
      w,
      { kind: "db_token", local: false, actor: "bot" },
      input,
    );
    expect([run.actor, events[0]?.actor, run.revision]).toEqual(["ann", "bot", 2]);
    const fresh = { ...input, params: w.path(OTHER), body: { ...w.base, actor: "eve" } };
    expect(
      (await observe(w, { kind: "db_token", local: false, actor: "bot" }, fresh)).run.actor,
    ).toBe("bot");
  });

  test("lists are paged, newest first, for all jobs or for one", async () => {
    const w = await runWorld(open);
    const uids = Array.from({ length: 5 }, (_, at) => `01K4M0000000000000000000R${at + 1}`);
    const second = await w.call(createCronJob, {
      params: w.params,
      body: { name: "second", definition: w.definition as never },
    });
    for (const [at, uid] of uids.entries()) {
      // Two runs at the same instant, then a later one.
      if (at % 2 === 0) w.clock.advance(1000);
      const { uid: job_uid, definition_event_uid } = at === 1 ? second.job : w.job;
      await w.put({ job_uid, definition_event_uid }, uid);
    }
    const newest = [...uids].reverse();
    const list = async (query: object) => {
      const { runs, next_before_uid } = await w.call(listCronRuns, { params: w.params, query });
      return [runs.map(({ uid }) => uid), next_before_uid];
    };
    expect(await list({})).toEqual([newest, undefined]);
    expect(await list({ limit: 0 })).toEqual([newest, undefined]);
    expect(await list({ limit: 2 })).toEqual([newest.slice(0, 2), newest[1]]);
    expect(await list({ limit: 2, before_uid: newest[1]?.toLowerCase() })).toEqual([
      newest.slice(2, 4),
      newest[3],
    ]);
    expect(await list({ limit: 2, before_uid: newest[3] })).toEqual([newest.slice(4), undefined]);
    expect(await list({ job_uid: second.job.uid })).toEqual([[uids[1]], undefined]);
    expect(await list({ job_uid: w.job.uid, limit: 1, before_uid: uids[2] })).toEqual([
      [uids[0]],
      uids[0],
    ]);
    for (const query of [{ limit: 101 }, { limit: -1 }, { before_uid: "x" }, { job_uid: "x" }])
      expect((await w.send(listCronRuns, { params: w.params, query })).status).toBe(400);
    await w.call(listCronRuns, { params: w.params, query: { limit: 100 } });
    expect(
      (await w.send(listCronRuns, { params: w.params, query: { before_uid: ABSENT } })).status,
    ).toBe(404);
  });

  test("a merge of projects moves runs", async () => {
    const w = await runWorld(open);
    await w.put();
    const target = await w.given.project("target");
    await w.call(mergeProject, {
      params: { project_id: target.id },
      body: { source_project_id: w.params.project_id },
    });
    const params = { project_id: target.id, run_uid: RUN };
    const body = { ...w.base, status: "succeeded", expected_revision: 1 } as const;
    expect((await w.call(observeCronRun, { params, body })).run.revision).toBe(2);
    await w.call(observeCronRun, { params: { ...params, run_uid: OTHER }, body: w.base });
    await expectFolded(w.store);
  });
});

describeStore("runs whose status is running", (open) => {
  test("are listed oldest first with their job and issue, and leave the list when they end", async () => {
    const w = await runWorld(open);
    const uid = (place: number) => `01K4M0000000000000000000R${place}`;
    // The newer run has the smaller uid.
    await w.put({ issue_uid: w.issue.uid }, uid(3));
    w.clock.advance(1000);
    await w.put({}, uid(2));
    await w.put({ status: "failed" }, uid(1));
    const list = async (query: { readonly limit?: number } = {}) =>
      await w.call(listRunningCronRuns, { params: w.params, query });
    const { runs, truncated, now } = await list();
    expect(runs.map((run) => [run.uid, run.job_name, run.issue])).toEqual([
      [uid(3), "nightly", w.issue.qualified_id],
      [uid(2), "nightly", undefined],
    ]);
    expect([truncated, now]).toEqual([false, w.clock.now()]);
    const first = await list({ limit: 1 });
    expect([first.runs.map((run) => run.uid), first.truncated]).toEqual([[uid(3)], true]);
    const other = await w.given.project("shop");
    const elsewhere = await w.call(listRunningCronRuns, { params: other.path });
    expect(elsewhere.runs).toEqual([]);
    await w.put({ issue_uid: w.issue.uid, status: "unknown", expected_revision: 1 }, uid(3));
    expect((await list()).runs.map((run) => run.uid)).toEqual([uid(2)]);
    const tooMany = { params: w.params, query: { limit: 101 } };
    expect((await w.send(listRunningCronRuns, tooMany)).status).toBe(400);
    const nowhere = { params: { project_id: 999 } };
    expect((await w.send(listRunningCronRuns, nowhere)).status).toBe(404);
  });
});

describeStore("the report of runs", (open) => {
  test("groups by workflow, teammate and executor, with the workflow's name", async () => {
    const w = await runWorld(open);
    const { workflow } = await w.call(createCronWorkflow, {
      params: w.params,
      body: { name: "checks", definition: W as never },
    });
    const steps = {
      workflow_uid: workflow.uid,
      workflow_definition_event_uid: workflow.definition_event_uid,
    };
    const summary = { version: 1, input_tokens: 5 };
    await w.put({ ...steps, teammate: "t-1", executor_label: "box-1", summary });
    await w.put({ teammate: "t-2", executor_label: "box-1" }, OTHER);
    const by = async (grouping: "workflow" | "teammate" | "executor") =>
      (await w.call(reportCronRuns, { params: w.params, query: { by: grouping } })).groups.map(
        ({ key, name, runs }) => [key, name, runs],
      );
    expect(await by("workflow")).toEqual([
      [workflow.uid, "checks", 1],
      [undefined, undefined, 1],
    ]);
    expect(await by("teammate")).toEqual([
      ["t-1", undefined, 1],
      ["t-2", undefined, 1],
    ]);
    expect(await by("executor")).toEqual([["box-1", undefined, 2]]);
  });

  test("adds up tokens and time by issue, parent, job, actor and day", async () => {
    const w = await runWorld(open);
    const child = await w.given.issue({ project: { id: w.params.project_id }, title: "Child" });
    await w.given.link(child, "parent", w.issue);
    const summary = (input_tokens: number, output_tokens: number) => ({
      version: 1,
      input_tokens,
      output_tokens,
    });
    const at = (day: string, from: string, to: string) => ({
      started_at: `2026-02-${day}T${from}:00Z`,
      ended_at: `2026-02-${day}T${to}:00Z`,
    });
    const runs: readonly object[] = [
      {
        issue_uid: child.uid,
        summary: summary(100, 10),
        status: "succeeded",
        ...at("01", "10:00", "10:01"),
      },
      {
        issue_uid: child.uid,
        summary: summary(1, 2),
        status: "failed",
        ...at("02", "10:00", "10:00"),
        actor: "bea",
      },
      {
        issue_uid: w.issue.uid,
        summary: summary(5, 5),
        status: "running",
        started_at: "2026-02-02T00:00:00Z",
      },
      { summary: { version: 1 } },
    ];
    for (const [place, run] of runs.entries())
      await w.put(run, `01K4M0000000000000000000R${place}`);
    const report = async (query: object) =>
      await w.call(reportCronRuns, { params: w.params, query });
    const brief = async (query: object) =>
      (await report(query)).groups.map(
        ({ key, runs: count, input_tokens, output_tokens, seconds }) => [
          key,
          count,
          input_tokens,
          output_tokens,
          seconds,
        ],
      );
    const byIssue = await report({});
    expect(byIssue).toEqual({
      by: "issue",
      total: {
        runs: 4,
        succeeded: 1,
        failed: 1,
        input_tokens: 106,
        output_tokens: 17,
        seconds: 60,
      },
      groups: [
        {
          key: child.uid,
          name: `${child.qualified_id} Child`,
          runs: 2,
          succeeded: 1,
          failed: 1,
          input_tokens: 101,
          output_tokens: 12,
          seconds: 60,
        },
        {
          key: w.issue.uid,
          name: `${w.issue.qualified_id} an issue`,
          runs: 1,
          succeeded: 0,
          failed: 0,
          input_tokens: 5,
          output_tokens: 5,
          seconds: 0,
        },
        { runs: 1, succeeded: 0, failed: 0, input_tokens: 0, output_tokens: 0, seconds: 0 },
      ],
      truncated: false,
    });
    expect(await brief({ by: "parent" })).toEqual([
      [w.issue.uid, 2, 101, 12, 60],
      [undefined, 2, 5, 5, 0],
    ]);
    expect(await brief({ by: "job" })).toEqual([[w.job.uid, 4, 106, 17, 60]]);
    expect((await report({ by: "job" })).groups[0]?.name).toBe("nightly");
    expect(await brief({ by: "actor" })).toEqual([
      ["ann", 3, 105, 15, 60],
      ["bea", 1, 1, 2, 0],
    ]);
    expect(await brief({ by: "day" })).toEqual([
      ["2026-01-01", 1, 0, 0, 0],
      ["2026-02-01", 1, 100, 10, 60],
      ["2026-02-02", 2, 6, 7, 0],
    ]);
    expect(await brief({ by: "day", since: "2026-02-01", until: "2026-02-01" })).toEqual([
      ["2026-02-01", 1, 100, 10, 60],
    ]);
    const { uid: issue_uid } = child;
    expect(await report({ issue_uid })).toMatchObject({
      total: { runs: 2, failed: 1, input_tokens: 101, output_tokens: 12, seconds: 60 },
      groups: [{ key: issue_uid, runs: 2 }],
    });
    expect(await brief({ issue_uid, by: "parent" })).toEqual([[w.issue.uid, 2, 101, 12, 60]]);
    expect(await brief({ issue_uid, by: "job", since: "2026-02-02" })).toEqual([
      [w.job.uid, 1, 1, 2, 0],
    ]);
    expect((await report({ issue_uid: w.job.uid })).groups).toEqual([]);
    const one = await report({ by: "day", limit: 1 });
    expect([one.groups.length, one.truncated, one.total.runs]).toEqual([1, true, 4]);
    for (const query of [
      { by: "week" },
      { since: "yesterday" },
      { until: "2026-02-30" },
      { limit: 0 },
      { limit: 1001 },
    ])
      expect(
        (await w.send(reportCronRuns, { params: w.params, query: query as never })).status,
      ).toBe(400);
    await report({ limit: 1000 });
  });

  test("counts a changed observation with its present values, and is empty for an empty project", async () => {
    const w = await runWorld(open);
    const empty = await w.call(reportCronRuns, { params: w.params });
    expect([empty.groups, empty.total.runs]).toEqual([[], 0]);
    await w.put({ summary: { version: 1, input_tokens: 5 } });
    await w.put({ summary: { version: 1, input_tokens: 7 }, expected_revision: 1 });
    expect((await w.call(reportCronRuns, { params: w.params })).total).toMatchObject({
      runs: 1,
      input_tokens: 7,
    });
  });
});
