import { expect, test } from "vitest";
import {
  archiveCronJob,
  createCronJob,
  listCronJobs,
  replaceCronJob,
  restoreCronJob,
  showCronJob,
} from "../../src/contract/cron-jobs.ts";
import {
  archiveCronWorkflow,
  createCronWorkflow,
  listCronWorkflows,
  replaceCronWorkflow,
  restoreCronWorkflow,
  showCronWorkflow,
} from "../../src/contract/cron-workflows.ts";
import { showIssue } from "../../src/contract/issues.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { mergeProject } from "../../src/contract/project-actions.ts";
import { moveIssue } from "../../src/contract/removal.ts";
import { but, D, N, R, W, X } from "../domain/cron/bases.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

/** Returns the base with this issue instead of the one that the vectors name. */
const onIssue = (base: object, issue: GivenIssue): object => {
  const text = JSON.stringify(base);
  return JSON.parse(text.replaceAll(/01K4M0000000000000000000[AD]1/g, issue.uid)) as object;
};

const projectOf = ({ path: { project_id } }: GivenIssue) => ({ project_id });

async function createJob(w: World, of: GivenIssue, definition: object, fields: object = {}) {
  const body = { name: "nightly", definition: definition as never, ...fields };
  return await w.call(createCronJob, { params: projectOf(of), body });
}

async function createWorkflow(
  w: World,
  of: GivenIssue,
  definition: object = W,
  fields: object = {},
) {
  const body = { name: "checks", definition: definition as never, ...fields };
  return await w.call(createCronWorkflow, { params: projectOf(of), body });
}

const refusedJob = async (w: World, of: GivenIssue, definition: object, fields: object = {}) =>
  await w.refused(createCronJob, {
    params: projectOf(of),
    body: { name: "nightly", definition: definition as never, ...fields },
  });

const pathOf = (of: GivenIssue, { uid }: { readonly uid: string }) => ({
  ...projectOf(of),
  cron_uid: uid,
});

const replacing = (
  expected_event_uid: string | undefined,
  definition: object,
  fields: object = {},
) => ({
  name: "nightly",
  definition: definition as never,
  ...(expected_event_uid === undefined ? {} : { expected_event_uid }),
  ...fields,
});

/** Sends a request exactly as given, without anything that a client would add. */
async function post(w: World, path: string, body: string) {
  const headers = { "content-type": "application/json" };
  const url = `http://localhost/api/v1${path}`;
  const response = await w.app.fetch(new Request(url, { method: "POST", headers, body }));
  return { status: response.status, text: await response.text() };
}

describeStore("definitions of jobs and workflows", (open) => {
  test("a created job is returned, shown and listed as it is stored, and its creation is logged", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const { job, events } = await createJob(w, issue, onIssue(X, issue), { name: "  nightly  " });
    expect(job).toMatchObject({
      id: 1,
      project_id: issue.path.project_id,
      name: "nightly",
      definition: { ...onIssue(X, issue), enabled: false },
      author: "ann",
      revision: 1,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
      definition_event_uid: events[0]?.uid,
      definition_hlc: { version: 1, origin_instance_uid: w.store.instanceUid },
    });
    expect(job).not.toHaveProperty("deleted_at");
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([["cron.job.created", "ann"]]);
    const path = pathOf(issue, job);
    expect((await w.call(showCronJob, { params: path })).job).toEqual(job);
    const lower = { ...path, cron_uid: job.uid.toLowerCase() };
    expect((await w.call(showCronJob, { params: lower })).job).toEqual(job);
    expect((await w.call(listCronJobs, { params: projectOf(issue) })).jobs).toEqual([job]);
    await expectFolded(w.store);
  });

  test("each change requires the uid of the definition's last event, and returns the uid of the new one", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const created = (await createJob(w, issue, onIssue(X, issue))).job;
    const params = pathOf(issue, created);
    const definition = onIssue(but(X, { enabled: true }), issue);
    w.clock.advance(1000);
    const body = replacing(created.definition_event_uid.toLowerCase(), definition, {
      name: "daily",
    });
    const { job: updated, events } = await w.call(replaceCronJob, { params, body, actor: "bea" });
    expect(updated).toMatchObject({
      name: "daily",
      definition: { enabled: true },
      author: "ann",
      revision: 2,
      created_at: created.created_at,
      updated_at: "2026-01-01T00:00:01.000Z",
    });
    expect(events.map(({ type }) => type)).toEqual(["cron.job.updated"]);
    const expected = { expected_event_uid: updated.definition_event_uid };
    const { job: deleted } = await w.call(archiveCronJob, { params, body: expected });
    expect(deleted).toMatchObject({ revision: 3, deleted_at: "2026-01-01T00:00:01.000Z" });
    expect((await w.call(listCronJobs, { params })).jobs).toEqual([]);
    const all = await w.call(listCronJobs, { params, query: { include_deleted: true } });
    expect(all.jobs).toEqual([deleted]);
    expect((await w.call(showCronJob, { params })).job).toEqual(deleted);
    const { job: restored } = await w.call(restoreCronJob, {
      params,
      body: { expected_event_uid: deleted.definition_event_uid },
    });
    expect(restored).toMatchObject({ revision: 4, definition: { enabled: true } });
    expect(restored).not.toHaveProperty("deleted_at");
    expect((await w.events()).map(({ type }) => type).slice(-4)).toEqual([
      "cron.job.created",
      "cron.job.updated",
      "cron.job.deleted",
      "cron.job.restored",
    ]);
    await expectFolded(w.store);
  });

  test("a stale or missing expected_event_uid is a conflict that shows the present definition", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const definition = onIssue(X, issue);
    const { job } = await createJob(w, issue, definition);
    const params = pathOf(issue, job);
    const stale = "01K4M0000000000000000000Z9";
    for (const expected_event_uid of [undefined, stale]) {
      const guard = expected_event_uid === undefined ? {} : { expected_event_uid };
      const refusals = [
        await w.refused(replaceCronJob, {
          params,
          body: replacing(expected_event_uid, definition),
        }),
        await w.refused(archiveCronJob, { params, body: guard }),
        await w.refused(restoreCronJob, { params, body: guard }),
      ];
      for (const refusal of refusals)
        expect(refusal).toMatchObject({
          code: "cron_conflict",
          data: { current: { uid: job.uid } },
        });
    }
    expect((await w.call(showCronJob, { params })).job).toEqual(job);
  });

  test("DELETE also accepts expected_event_uid in the query, if it agrees with the body", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const { job } = await createJob(w, issue, onIssue(X, issue));
    const params = pathOf(issue, job);
    const expected_event_uid = job.definition_event_uid;
    const query = { expected_event_uid, actor: "cy" };
    const other = { expected_event_uid: "01K4M0000000000000000000Z9", actor: "cy" };
    expect(await w.refused(archiveCronJob, { params, query, body: other })).toMatchObject({
      code: "validation",
      data: { field: "expected_event_uid" },
    });
    expect(await w.refused(archiveCronJob, { params, query, actor: "bea" })).toMatchObject({
      data: { field: "actor" },
    });
    const { events } = await w.call(archiveCronJob, { params, query, actor: "cy" });
    expect(events[0]?.actor).toBe("cy");
  });

  test("a change of a deleted definition restores it, and deleting a deleted one leaves it deleted", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const definition = onIssue(X, issue);
    const { job } = await createJob(w, issue, definition);
    const params = pathOf(issue, job);
    const guard = async () => ({
      expected_event_uid: (await w.call(showCronJob, { params })).job.definition_event_uid,
    });
    await w.call(archiveCronJob, { params, body: await guard() });
    const again = await w.call(archiveCronJob, { params, body: await guard() });
    expect(again.events[0]?.type).toBe("cron.job.deleted");
    const { expected_event_uid } = await guard();
    const written = await w.call(replaceCronJob, {
      params,
      body: replacing(expected_event_uid, definition),
    });
    expect(written.events[0]?.type).toBe("cron.job.restored");
    expect(written.job).not.toHaveProperty("deleted_at");
    const live = await w.call(restoreCronJob, { params, body: await guard() });
    expect(live.events[0]?.type).toBe("cron.job.updated");
    await expectFolded(w.store);
  });

  test("a uid chosen by the client is created once; a second create is a conflict, never an update", async () => {
    const w = await world({ store: open });
    const [issue, elsewhere] = [
      await w.given.issue(),
      await w.given.issue({ project: await w.given.project("other") }),
    ];
    const uid = "01k4m0000000000000000000e1";
    const { job } = await createJob(w, issue, onIssue(X, issue), { uid });
    expect(job.uid).toBe(uid.toUpperCase());
    expect(await refusedJob(w, issue, onIssue(X, issue), { uid })).toMatchObject({
      code: "cron_conflict",
      data: { current: { uid: job.uid, revision: 1 } },
    });
    const foreign = await refusedJob(w, elsewhere, onIssue(X, elsewhere), { uid });
    expect(foreign.code).toBe("cron_conflict");
    expect(foreign.data).toBeUndefined();
    await w.call(archiveCronJob, {
      params: pathOf(issue, job),
      body: { expected_event_uid: job.definition_event_uid },
    });
    expect(await refusedJob(w, issue, onIssue(X, issue), { uid })).toMatchObject({
      code: "cron_conflict",
      data: { current: { deleted_at: "2026-01-01T00:00:00.000Z" } },
    });
  });

  test.each([
    ["expected_event_uid", { expected_event_uid: "01K4M0000000000000000000Z9" }],
    ["uid", { uid: "ab3d" }],
    ["name", { name: "   " }],
    ["name", { name: "n".repeat(257) }],
    ["name", { name: "é".repeat(129) }],
    ["actor", { actor: " " }],
    ["definition", { definition: [] }],
    ["note", { note: 1 }],
  ])("a create with an invalid %s is refused", async (field, fields) => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const refusal = await refusedJob(w, issue, onIssue(X, issue), fields);
    expect(refusal).toMatchObject({ code: "validation" });
    expect(JSON.stringify(refusal)).toContain(field);
  });

  test.each([["n".repeat(256)], ["é".repeat(128)]])("a name may have 256 bytes", async (name) => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    expect((await createJob(w, issue, onIssue(X, issue), { name })).job.name).toBe(name);
  });

  test("unknown uids, uids of another project and malformed uids are refused", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const elsewhere = await w.given.issue({ project: await w.given.project("other") });
    const { job } = await createJob(w, issue, onIssue(X, issue));
    const guard = { expected_event_uid: job.definition_event_uid };
    for (const params of [
      pathOf(issue, { uid: "01K4M0000000000000000000Z9" }),
      pathOf(elsewhere, job),
    ]) {
      expect(await w.refused(showCronJob, { params })).toMatchObject({
        code: "not_found",
        message: "cron not found",
      });
      expect((await w.refused(archiveCronJob, { params, body: guard })).code).toBe("not_found");
      expect((await w.refused(restoreCronJob, { params, body: guard })).code).toBe("not_found");
      const body = replacing(job.definition_event_uid, onIssue(X, issue));
      expect((await w.refused(replaceCronJob, { params, body })).code).toBe("not_found");
    }
    expect((await w.refused(showCronWorkflow, { params: pathOf(issue, job) })).code).toBe(
      "not_found",
    );
    const none = { ...projectOf(issue), cron_uid: "nightly" };
    expect((await w.refused(showCronJob, { params: none })).code).toBe("validation");
    const gone = { project_id: 99, cron_uid: job.uid };
    expect((await w.refused(showCronJob, { params: gone })).code).toBe("project_not_found");
    expect((await w.refused(listCronJobs, { params: gone })).code).toBe("project_not_found");
  });

  test("duplicate JSON members are refused at any depth, and numbers keep their spelling", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const path = `/projects/${issue.path.project_id}/cron/jobs`;
    const definition = JSON.stringify(onIssue(but(X, { options: "O" }), issue));
    const envelope = (options: string) =>
      `{"name":"n","actor":"ann","definition":${definition.replace('"O"', options)}}`;
    for (const [options, field] of [
      ['{"a":1,"a":2}', "definition.options.a"],
      ['{"a":[{"b":1},{"b":1,"\\u0062":2}]}', "definition.options.a[1].b"],
    ] as const) {
      const refused = await post(w, path, envelope(options));
      expect([refused.status, refused.text]).toEqual([
        400,
        expect.stringContaining(`"field":"${field}"`),
      ]);
    }
    const options = '{"big":12345678901234567890,"f":1.10,"h":1e400}';
    const created = await post(w, path, envelope(options));
    expect(created.status).toBe(201);
    expect(created.text).toContain(options);
    const { jobs } = await w.call(listCronJobs, { params: projectOf(issue) });
    expect(jobs).toHaveLength(1);
    const shown = await w.send(listCronJobs, { params: projectOf(issue) });
    expect(await shown.text()).toContain(options);
    await expectFolded(w.store);
  });

  test.each([
    [262_144, 201],
    [262_145, 400],
  ])("a definition of %i bytes is answered with the status %i", async (bytes, status) => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const definition = JSON.stringify(onIssue(but(X, { enabled: true }), issue));
    // White space counts, because it was sent.
    const padded = definition.replace("{", `{${" ".repeat(bytes - definition.length)}`);
    const sent = await post(
      w,
      `/projects/${issue.path.project_id}/cron/jobs`,
      `{"name":"n","actor":"ann","definition":${padded}}`,
    );
    expect([
      sent.status,
      sent.status === 201 || sent.text.includes('"field":"definition"'),
    ]).toEqual([status, true]);
  });

  test.each<[string, string, (issue: GivenIssue, other: GivenIssue, gone: GivenIssue) => object]>([
    [
      "an unknown workflow",
      "definition.action.workflow_uid",
      (issue) =>
        onIssue(
          but(X, { action: { kind: "execute", workflow_uid: "01K4M0000000000000000000B1" } }),
          issue,
        ),
    ],
    [
      "a trigger's issue of another project",
      "definition.trigger.issue_uid",
      (_issue, other) => onIssue(D, other),
    ],
    [
      "a trigger's deleted issue",
      "definition.trigger.issue_uid",
      (_issue, _other, gone) => onIssue(D, gone),
    ],
    ["an issue of another project", "definition.issue.uid", (_issue, other) => onIssue(N, other)],
    ["a deleted issue", "definition.issue.uid", (_issue, _other, gone) => onIssue(X, gone)],
    [
      "a parent of another project",
      "definition.issue.parent_uid",
      (_issue, other) => onIssue(R, other),
    ],
    ["a deleted parent", "definition.issue.parent_uid", (_issue, _other, gone) => onIssue(R, gone)],
  ])("a definition that names %s is refused", async (_name, field, definition) => {
    const w = await world({ store: open });
    const [issue, gone] = [await w.given.issue(), await w.given.issue()];
    const other = await w.given.issue({ project: await w.given.project("other") });
    await w.given.deleted(gone);
    const refusal = await refusedJob(w, issue, definition(issue, other, gone));
    expect(refusal).toMatchObject({ code: "validation", data: { field } });
  });

  test("a job triggered by a date must run on the trigger's issue, but may notify about another issue", async () => {
    const w = await world({ store: open });
    const [issue, other] = [await w.given.issue(), await w.given.issue()];
    const trigger = { kind: "issue-scheduled", issue_uid: issue.uid };
    const about = { kind: "existing", uid: other.uid };
    expect(await refusedJob(w, issue, but(X, { trigger, issue: about }))).toMatchObject({
      data: { field: "definition.issue.uid" },
    });
    await createJob(w, issue, but(N, { trigger, issue: about }));
    await createJob(w, issue, but(X, { trigger, issue: { kind: "existing", uid: issue.uid } }));
  });

  test("workflows have the same life cycle as jobs, and cannot be deleted while a live job uses them", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const { workflow, events } = await createWorkflow(w, issue);
    expect(workflow.definition).toEqual(W);
    expect(events.map(({ type }) => type)).toEqual(["cron.workflow.created"]);
    const flow = pathOf(issue, workflow);
    const body = {
      name: "renamed",
      definition: but(W, { about: "all of it" }) as never,
      expected_event_uid: workflow.definition_event_uid,
    };
    const replaced = (await w.call(replaceCronWorkflow, { params: flow, body })).workflow;
    expect(replaced).toMatchObject({
      name: "renamed",
      definition: { about: "all of it" },
      revision: 2,
    });
    expect((await w.refused(replaceCronWorkflow, { params: flow, body })).code).toBe(
      "cron_conflict",
    );
    expect((await w.call(listCronWorkflows, { params: flow })).workflows).toEqual([replaced]);
    expect((await w.call(showCronWorkflow, { params: flow })).workflow).toEqual(replaced);

    const action = { kind: "execute", workflow_uid: workflow.uid };
    const { job } = await createJob(w, issue, onIssue(but(X, { action }), issue));
    const guard = { expected_event_uid: replaced.definition_event_uid };
    expect(await w.refused(archiveCronWorkflow, { params: flow, body: guard })).toMatchObject({
      code: "cron_conflict",
      data: { current: { uid: workflow.uid } },
    });
    const params = pathOf(issue, job);
    const deleted = await w.call(archiveCronJob, {
      params,
      body: { expected_event_uid: job.definition_event_uid },
    });
    const tombstone = (await w.call(archiveCronWorkflow, { params: flow, body: guard })).workflow;
    expect(tombstone.deleted_at).toBeDefined();
    const restore = { expected_event_uid: deleted.job.definition_event_uid };
    expect(await w.refused(restoreCronJob, { params, body: restore })).toMatchObject({
      code: "validation",
      data: { field: "definition.action.workflow_uid" },
    });
    await w.call(restoreCronWorkflow, {
      params: flow,
      body: { expected_event_uid: tombstone.definition_event_uid },
    });
    await w.call(restoreCronJob, { params, body: restore });
    await expectFolded(w.store);
  });

  test("a native recurring job stores its checkpoint on the parent issue, even if another actor leases it", async () => {
    const w = await world({ store: open });
    const parent = await w.given.issue();
    await w.call(acquireIssueLease, { params: parent.path, actor: "bea" });
    w.clock.advance(1500);
    const { job, events } = await createJob(w, parent, onIssue(R, parent));
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([
      ["cron.job.created", "ann"],
      ["issue.metadata_updated", "ann"],
    ]);
    const { issue } = await w.call(showIssue, { params: parent.path });
    expect(issue.revision).toBe(2);
    expect(issue.metadata[`cron.progress.${job.uid}`]).toEqual({
      version: 1,
      anchor: "2026-01-01T00:00:01Z",
      through: "2026-01-01T00:00:01Z",
      last_occurrence: null,
      last_child_uid: null,
      scan: null,
    });
    await expectFolded(w.store);
  });

  test("a job that was bound to a parent issue stays native and bound to this issue", async () => {
    const w = await world({ store: open });
    const [parent, other] = [await w.given.issue(), await w.given.issue()];
    let { job } = await createJob(w, parent, onIssue(N, parent));
    const params = pathOf(parent, job);
    const replace = async (definition: object) =>
      await w.call(replaceCronJob, {
        params,
        body: replacing(job.definition_event_uid, definition),
      });
    const bound = await replace(onIssue(R, parent));
    expect(bound.events).toHaveLength(2);
    job = bound.job;
    const anchorOf = async () =>
      (await w.call(showIssue, { params: parent.path })).issue.metadata[`cron.progress.${job.uid}`];
    const anchor = await anchorOf();
    for (const definition of [onIssue(R, other), onIssue(N, parent), onIssue(X, parent)]) {
      const body = replacing(job.definition_event_uid, definition);
      expect(await w.refused(replaceCronJob, { params, body })).toMatchObject({
        code: "validation",
        data: { field: "definition.issue.parent_uid" },
      });
    }
    w.clock.advance(60_000);
    const edited = await replace(onIssue(but(R, { enabled: false }), parent));
    expect(edited.events).toHaveLength(1);
    job = edited.job;
    const guard = () => ({ expected_event_uid: job.definition_event_uid });
    job = (await w.call(archiveCronJob, { params, body: guard() })).job;
    job = (await w.call(restoreCronJob, { params, body: guard() })).job;
    expect(await anchorOf()).toEqual(anchor);
    await expectFolded(w.store);
  });

  test("the parent issue of a native job cannot be moved to another project, even after the job is deleted", async () => {
    const w = await world({ store: open });
    const [parent, other] = [await w.given.issue(), await w.given.project("other")];
    const { job } = await createJob(w, parent, onIssue(but(R, { enabled: false }), parent));
    const move = {
      params: parent.path,
      headers: { "if-match": '"rev-2"' },
      body: { to_project_uid: other.uid },
    };
    expect((await w.refused(moveIssue, move)).code).toBe("cron_conflict");
    await w.call(archiveCronJob, {
      params: pathOf(parent, job),
      body: { expected_event_uid: job.definition_event_uid },
    });
    expect((await w.refused(moveIssue, move)).code).toBe("cron_conflict");
  });

  test("a merge of projects moves definitions, and a change still requires the uid of the last event", async () => {
    const w = await world({ store: open });
    const [source, target] = [await w.given.project("old"), await w.given.project("new")];
    const issue = await w.given.issue({ project: source });
    const { job } = await createJob(w, issue, onIssue(X, issue));
    const { workflow } = await createWorkflow(w, issue);
    await w.call(mergeProject, {
      params: { project_id: target.id },
      body: { source_project_id: source.id },
    });
    const params = { project_id: target.id, cron_uid: job.uid };
    expect((await w.call(showCronJob, { params })).job).toMatchObject({
      project_id: target.id,
      definition_event_uid: job.definition_event_uid,
    });
    const flows = await w.call(listCronWorkflows, { params: { project_id: target.id } });
    expect(flows.workflows.map(({ uid }) => uid)).toEqual([workflow.uid]);
    await w.call(archiveCronJob, {
      params,
      body: { expected_event_uid: job.definition_event_uid },
    });
    await expectFolded(w.store);
  });

  test("lists are ordered by name, then by uid", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const uids = [
      "01K4M0000000000000000000E2",
      "01K4M0000000000000000000E1",
      "01K4M0000000000000000000E3",
    ];
    for (const [at, name] of ["b", "b", "B"].entries())
      await createJob(w, issue, onIssue(X, issue), { name, uid: uids[at] });
    const { jobs } = await w.call(listCronJobs, { params: projectOf(issue) });
    expect(jobs.map(({ uid }) => uid.at(-1))).toEqual(["3", "1", "2"]);
  });
});
