import { expect, test } from "vitest";
import { NeedsWorker } from "../../src/base/budget.ts";
import { createComment } from "../../src/contract/comments.ts";
import { archiveCronJob, createCronJob } from "../../src/contract/cron-jobs.ts";
import { observeCronRun } from "../../src/contract/cron-runs.ts";
import { createCronWorkflow } from "../../src/contract/cron-workflows.ts";
import {
  enableProjectFederation,
  listFederationEnrollments,
} from "../../src/contract/federation.ts";
import {
  showFederationQuarantine,
  skipFederationQuarantine,
} from "../../src/contract/federation-quarantine.ts";
import {
  createFederationReplica,
  leaveFederationReplica,
} from "../../src/contract/federation-replicas.ts";
import { editIssue, showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import { patchProjectMetadata } from "../../src/contract/project-actions.ts";
import { initProject } from "../../src/contract/projects.ts";
import { databaseChecks } from "../../src/engines/checks/all.ts";
import { finishForHub } from "../../src/engines/federation.ts";
import type { OpStore, Principal } from "../../src/ops/deps.ts";
import { type AdoptionRequest, adoptExisting } from "../../src/ops/federation/adopt-existing.ts";
import { unfinishedAdoptions } from "../../src/ops/federation/adopt-project.ts";
import { joinReplica } from "../../src/ops/federation/join.ts";
import { forgetLeftCredentials } from "../../src/ops/federation/left-credentials.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { R as NATIVE, X } from "../domain/cron/bases.ts";
import { created, uid } from "../store/drafts.ts";
import { expectFolded } from "../store/fold.ts";
import { answer, type Intercept, serveHub, spokeOf } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";
import { portableRows } from "./nodes/portable.ts";

const UNCHANGED = expect.stringContaining("nothing was changed");

const ANYBODY: Principal = { kind: "none", local: true };

/** A hub of the project `web`, and a spoke with a project of that name which it may hand over. */
async function given(open: OpenStore, { allows = true, issues = 3 } = {}) {
  const hub = await world({ store: open });
  const project = await hub.given.project("web");
  await hub.given.issue({ project, title: "of the hub" });
  await hub.call(enableProjectFederation, { params: project.path, body: {} });
  const server = await serveHub(hub);
  const { spoke, enrollment } = await spokeOf(
    open,
    { hub, server, project },
    { bound: false, push: true, adopts: allows },
  );
  const { token } = enrollment;
  const own = await spoke.given.project("web");
  for (let at = 0; at < issues; at += 1) {
    const issue = await spoke.given.issue({ project: own, title: `own ${at}` });
    await spoke.call(createComment, { params: issue.path, body: { body: "hm", actor: "bea" } });
  }
  const join = {
    ...{ hub_url: server.origin, hub_project_id: project.id, hub_project_uid: project.uid },
    ...{ project_name: "web", replay_horizon_event_id: await horizonOf(hub), token, actor: "sam" },
    ...{ capabilities: ["pull", "push"], adopt_existing: true },
  };
  return { hub, project, spoke, own, server, join };
}

/** Answers as a hub of an older release, which does not say whether the enrollment permits it. */
function asOlderHub(hub: World): Intercept {
  const without = (text: string) =>
    text.replace('"allow_adoption_snapshot_authors":false', '"x":0');
  return (request, response) => void answer(hub, request, response, without);
}

type Given = Awaited<ReturnType<World["given"]["issue"]>>;

/** A workflow, two jobs, of which one is deleted, and a run of the other one. */
async function scheduled(spoke: World, issue: Given) {
  const params = { project_id: issue.path.project_id };
  const steps = [{ key: "a", kind: "command", command: "make" }];
  const { workflow } = await spoke.call(createCronWorkflow, {
    params,
    body: { name: "nightly", definition: { version: 1, steps }, actor: "bea" } as never,
  });
  const definition = { ...X, issue: { kind: "existing", uid: issue.uid } } as never;
  const make = async (name: string) =>
    (await spoke.call(createCronJob, { params, body: { name, definition, actor: "bea" } })).job;
  const [job, gone] = [await make("check"), await make("gone")];
  await spoke.call(archiveCronJob, {
    params: { ...params, cron_uid: gone.uid },
    body: { expected_event_uid: gone.definition_event_uid },
  });
  await spoke.call(observeCronRun, {
    params: { ...params, run_uid: uid(700) },
    body: {
      ...{ job_uid: job.uid, definition_event_uid: job.definition_event_uid, actor: "bea" },
      ...{ status: "running", summary: { version: 1 }, expected_revision: 0 },
    },
  });
  return { workflow, job };
}

/** What the store is asked by such a join. */
function requestOf(join: Awaited<ReturnType<typeof given>>["join"]): AdoptionRequest {
  const { token: _, capabilities, adopt_existing: __, ...asked } = join;
  const place = { allow_insecure: false, pushes: true, baseline_through_event_id: 1 };
  return { ...asked, ...place, capabilities };
}

/** A store whose daemon ends after so many writes. */
function dyingAfter(store: AdminStore, writes: number): Pick<OpStore, "read" | "write"> {
  let left = writes;
  return {
    read: async (work) => await store.read(work),
    write: async (work) => {
      if (left === 0) throw new Error("the daemon has ended");
      left -= 1;
      return await store.write(work);
    },
  };
}

async function horizonOf({ store }: World): Promise<number> {
  const bindings = await store.read(
    async ({ unfolded }) => await unfolded.list("federation_binding", 10),
  );
  return bindings[0]?.replay_horizon_event_id ?? 1;
}

describeStore("a project that is handed over to a hub", (open) => {
  test("has all issues with their authors here and at the hub in the end", async () => {
    const { hub, project, spoke, own, join } = await given(open);
    const joined = await spoke.call(createFederationReplica, { body: join });
    expect(joined).toMatchObject({
      ...{ adopted: true, adoption_snapshot_count: 3 },
      project: { id: own.id, uid: project.uid, name: "web" },
      binding: { push_enabled: true },
    });
    const pass = async () => await spoke.federation.pull(project.uid, new AbortController().signal);
    expect((await pass()).outcome).toBe("current");
    expect((await pass()).outcome).toBe("current");
    const uids = new Set([project.uid]);
    expect(await portableRows(spoke.store, uids)).toEqual(await portableRows(hub.store, uids));
    const row = (await hub.events()).find(({ type }) => type === "issue.snapshot");
    expect(row).toBeDefined();
    for (const w of [hub, spoke]) await expectFolded(w.store);
    const comments = (await portableRows(hub.store, uids))["comment"];
    expect(comments?.filter((text) => text.includes('"author":"bea"'))).toHaveLength(3);
  });

  test("is handed over completely even if its daemon ends after every write of the handover", async () => {
    const { hub, project, spoke, own, join } = await given(open, { issues: 2 });
    const aside = await spoke.given.issue({ project: await spoke.given.project("aside") });
    const issues: Given[] = [];
    for (const title of ["a", "b", "c", "d"])
      issues.push(await spoke.given.issue({ project: own, title, labels: ["bug"] }));
    const [a, b, c, d] = issues as [Given, Given, Given, Given];
    await spoke.given.link(a, "blocks", b);
    await spoke.given.link(a, "parent", c);
    await spoke.given.link(b, "related", d);
    await spoke.given.link(aside, "blocks", a);
    // The event that removes the link is one of the other issue.
    await spoke.call(editIssue, {
      params: b.path,
      body: { links_delta: { remove_blocked_by: [a.short_id] } },
    });
    await spoke.given.closed(d);
    await spoke.given.deleted(b);
    await spoke.call(initProject, {
      body: { name: "web", alias: { identity: "github.com/a/b", kind: "git" } },
    });
    await spoke.call(patchProjectMetadata, { params: own.path, body: { patch: { color: "red" } } });
    await scheduled(spoke, a);
    const request = requestOf(join);
    const lives: string[] = [];
    for (let isDone = false; !isDone; ) {
      isDone = await adoptExisting({ store: dyingAfter(spoke.store, 1) }, request, 2).then(
        () => true,
        (error: Error) => {
          lives.push(error.message);
          return false;
        },
      );
      await expectFolded(spoke.store);
      for (const { short_id: ref, uid } of [a, c, d]) {
        const { issue } = await spoke.call(showIssue, { params: { ...own.path, ref } });
        expect(issue.uid).toBe(uid);
      }
      if (isDone) continue;
      const { code } = await spoke.refused(editIssue, { params: a.path, body: { title: "no" } });
      expect(code).toBe("federated_read_only");
      await spoke.call(createComment, { params: aside.path, body: { body: "hm", actor: "bea" } });
    }
    expect(lives.length).toBeGreaterThan(7);
    expect(new Set(lives)).toEqual(new Set(["the daemon has ended"]));
    const joined = await spoke.call(createFederationReplica, { body: join });
    expect(joined.project).toMatchObject({ id: own.id, uid: project.uid, name: "web" });
    for (let passes = 0; passes < 2; passes += 1)
      await spoke.federation.pull(project.uid, new AbortController().signal);
    const uids = new Set([project.uid]);
    const found = await portableRows(spoke.store, uids);
    expect(found).toEqual(await portableRows(hub.store, uids));
    expect(found["issue"]).toHaveLength(7);
    expect(
      ["cron_jobs", "cron_workflows", "cron_runs"].map((table) => found[table]?.length),
    ).toEqual([2, 1, 1]);
    for (const w of [hub, spoke]) await expectFolded(w.store);
  });

  test("is handed over to the end by the engine after its daemon ended, and can leave its hub only then", async () => {
    const { spoke, own, join } = await given(open);
    const adoption = adoptExisting({ store: dyingAfter(spoke.store, 2) }, requestOf(join), 1);
    await expect(adoption).rejects.toThrow("the daemon has ended");
    const leave = { params: own.path, body: {} };
    expect(await spoke.refused(leaveFederationReplica, leave)).toMatchObject({ code: "busy" });
    const uids = await spoke.store.read(unfinishedAdoptions);
    expect(uids).toEqual([join.hub_project_uid]);
    for (const uid of uids) await finishForHub.run(spoke, { uid });
    expect(await spoke.store.read(unfinishedAdoptions)).toEqual([]);
    await spoke.call(leaveFederationReplica, leave);
    await expectFolded(spoke.store);
  });

  test("is sent by the next daemon if its daemon ended in the middle, without another join, and the hub has one enrollment", async () => {
    const { hub, project, spoke, join } = await given(open);
    const adopt = async (request: AdoptionRequest) =>
      await adoptExisting({ store: dyingAfter(spoke.store, 2) }, request, 1);
    const needs = { store: spoke.store, federation: { ...spoke.replicas, adopt } };
    const { credentials } = spoke.replicas;
    await credentials.delete(project.uid);
    await expect(joinReplica(needs, ANYBODY, join)).rejects.toThrow("the daemon has ended");
    // What the next daemon does.
    expect(await forgetLeftCredentials(needs)).toBe(0);
    expect((await credentials.all()).get(project.uid)).toMatchObject({ token: join.token });
    await finishForHub.run(spoke, { uid: project.uid });
    for (let passes = 0; passes < 2; passes += 1)
      await spoke.federation.pull(project.uid, new AbortController().signal);
    const uids = new Set([project.uid]);
    const found = await portableRows(spoke.store, uids);
    expect(found["issue"]).toHaveLength(4);
    expect(found).toEqual(await portableRows(hub.store, uids));
    const again = await spoke.call(createFederationReplica, { body: join });
    expect(again).not.toHaveProperty("adopted");
    const { enrollments } = await hub.call(listFederationEnrollments, {});
    expect(enrollments.filter(({ revoked_at }) => revoked_at === undefined)).toHaveLength(1);
  });

  test("is always changed in the write worker, even if it has a single issue", async () => {
    const { spoke, join } = await given(open, { issues: 1 });
    const before = (await spoke.events()).length;
    const deps = { store: spoke.store, smallWorkOnly: true };
    await expect(adoptExisting(deps, requestOf(join))).rejects.toBeInstanceOf(NeedsWorker);
    expect(await spoke.events()).toHaveLength(before);
  });

  test("can be changed at once, and the next pass sends the changes to the hub", async () => {
    const { hub, project, spoke, own, join } = await given(open, { issues: 1 });
    await spoke.call(createFederationReplica, { body: join });
    const [issue] = await spoke.store.read(
      async ({ issues }) => await issues.list({ project_uid: project.uid, limit: 5 }, "recent"),
    );
    const params = { project_id: own.id, ref: issue?.uid ?? "" };
    await spoke.call(editIssue, { params, body: { title: "changed", actor: "cyd" } });
    await spoke.federation.pull(project.uid, new AbortController().signal);
    const shown = await hub.call(showIssueByUID, { params: { uid: issue?.uid ?? "" } });
    expect(shown.issue).toMatchObject({ title: "changed", author: "ann" });
  });

  test("is left unchanged by a second request to hand it over", async () => {
    const { spoke, join } = await given(open);
    await spoke.call(createFederationReplica, { body: join });
    const before = (await spoke.events()).length;
    const again = await spoke.call(createFederationReplica, { body: join });
    expect(again).not.toHaveProperty("adopted");
    expect(await spoke.events()).toHaveLength(before);
  });

  test("stays as it is if the enrollment does not permit the handover, and the refusal names the command that permits it", async () => {
    const { spoke, join } = await given(open, { allows: false });
    await spoke.replicas.credentials.delete(join.hub_project_uid);
    const before = await spoke.events();
    const refusal = await spoke.refused(createFederationReplica, { body: join });
    expect([refusal.code, refusal.hint]).toEqual([
      "invalid_adoption_baseline",
      expect.stringContaining("svc federation enroll --adopt-existing"),
    ]);
    expect(await spoke.events()).toEqual(before);
    expect(await spoke.replicas.credentials.all()).toEqual(new Map());
  });

  test("stays as it is if the hub gives no answer, and can be handed over later", async () => {
    const { spoke, server, join } = await given(open);
    const before = await spoke.events();
    server.intercept((_request, response) => response.writeHead(503).end("{}"));
    const refusal = await spoke.refused(createFederationReplica, { body: join });
    expect(refusal).toMatchObject({ code: "federation_offline", message: UNCHANGED });
    expect(await spoke.events()).toEqual(before);
    server.intercept(undefined);
    const joined = await spoke.call(createFederationReplica, { body: join });
    expect(joined.adopted).toBe(true);
  });

  test("stays as it is if the hub does not know the token, or has archived its project", async () => {
    const { hub, project, spoke, join } = await given(open);
    const before = await spoke.events();
    const refused = async (body: object) =>
      await spoke.refused(createFederationReplica, { body: { ...join, ...body } });
    const code = "federation_hub_refused";
    const unknown = await refused({ token: "svc_fed_another-0123456789" });
    expect(unknown).toMatchObject({ code, data: { reason: "auth_invalid" }, message: UNCHANGED });
    await hub.given.archived(project);
    const gone = await refused({});
    expect(gone).toMatchObject({ code, data: { reason: "project_not_found" }, message: UNCHANGED });
    expect(await spoke.events()).toEqual(before);
  });

  test("needs no permission of the hub if it has no issues", async () => {
    const { spoke, join } = await given(open, { allows: false, issues: 0 });
    const joined = await spoke.call(createFederationReplica, { body: join });
    expect(joined).toMatchObject({ adopted: true, adoption_snapshot_count: 0 });
  });

  test("fails with an error if an older hub refuses the handover only once the issues are sent", async () => {
    const { hub, project, spoke, server, join } = await given(open, { allows: false });
    server.intercept(asOlderHub(hub));
    await spoke.call(createFederationReplica, { body: join });
    const pass = await spoke.federation.pull(project.uid, new AbortController().signal);
    expect(pass).toMatchObject({ outcome: "failed", code: "validation" });
    const rows = await portableRows(hub.store, new Set([project.uid]));
    expect(rows["issue"]).toHaveLength(1);
  });

  test("has a quarantined batch that cannot be skipped, since the issues would be lost", async () => {
    const { hub, spoke, own, project, server, join } = await given(open, { allows: false });
    server.intercept(asOlderHub(hub));
    await spoke.call(createFederationReplica, { body: join });
    await spoke.federation.pull(project.uid, new AbortController().signal);
    const before = await portableRows(spoke.store, new Set([project.uid]));
    const refusal = await spoke.refused(skipFederationQuarantine, {
      params: { ...own.path, quarantine_id: 1 },
      headers: { "x-svc-confirm": "SKIP FEDERATION BATCH 1" },
      body: {},
    });
    expect(refusal.code).toBe("invalid_adoption_baseline");
    const params = { ...own.path, quarantine_id: 1 };
    const { quarantine } = await spoke.call(showFederationQuarantine, { params });
    expect(quarantine.hands_over).toBe(true);
    const check = databaseChecks().find(({ id }) => id === "storage.federation");
    const found = await spoke.store.read(async (reader) => await check?.look(reader));
    expect(found?.fix).toContain("svc federation enroll --adopt-existing");
    expect(found?.fix).not.toContain("skip");
    expect(await portableRows(spoke.store, new Set([project.uid]))).toEqual(before);
  });

  test.each([
    ["a name that no project has", { project_name: "api" }, "federation_project_not_found"],
    ["an enrollment without push", { capabilities: ["pull"] }, "federation_capability_mismatch"],
  ])("is refused for %s", async (_what, changes, code) => {
    const { spoke, join } = await given(open);
    const before = await spoke.events();
    const { code: found } = await spoke.refused(createFederationReplica, {
      body: { ...join, ...changes },
    });
    expect(found).toBe(code);
    expect(await spoke.events()).toEqual(before);
  });

  test("has its jobs, workflows and runs here and at the hub, also deleted jobs and running runs", async () => {
    const { hub, project, spoke, own, join } = await given(open, { issues: 1 });
    const { workflow, job } = await scheduled(spoke, await spoke.given.issue({ project: own }));
    expect(await spoke.call(createFederationReplica, { body: join })).toMatchObject({
      adoption_snapshot_count: 2,
    });
    for (const _pass of [1, 2])
      expect(await spoke.federation.pull(project.uid, new AbortController().signal)).toMatchObject({
        outcome: "current",
      });
    const uids = new Set([project.uid]);
    const rows = await portableRows(hub.store, uids);
    expect(await portableRows(spoke.store, uids)).toEqual(rows);
    expect([rows["cron_jobs"], rows["cron_workflows"], rows["cron_runs"]]).toMatchObject([
      [expect.stringContaining('"name":"'), expect.stringContaining('"name":"')],
      [expect.stringContaining(workflow.uid)],
      [expect.stringContaining('"status":"running"')],
    ]);
    const found = await hub.store.read(async ({ cron, runs }) => ({
      job: (await cron.jobs(project.uid)).find((one) => one.uid === job.uid),
      run: await runs.find(uid(700)),
    }));
    expect(found.run?.definition_event_uid).toBe(found.job?.definition_event_uid);
    expect([found.job?.author, found.run?.actor]).toEqual(["sam", "sam"]);
    for (const w of [hub, spoke]) await expectFolded(w.store);
  });

  test.each(["a job that creates issues", "an issue that such a job has created"])(
    "is refused if it has %s, and stays as it is",
    async (what) => {
      const { spoke, own, join } = await given(open, { issues: 0 });
      const parent = await spoke.given.issue({ project: own });
      const definition = { ...NATIVE, issue: { ...NATIVE.issue, parent_uid: parent.uid } } as never;
      if (what.startsWith("a job"))
        await spoke.call(createCronJob, { params: own.path, body: { name: "daily", definition } });
      else
        await spoke.store.write(async (tx) => {
          await tx.append(created(own.uid, uid(900), { metadata: { "cron.occurrence": {} } }));
        });
      const before = await spoke.events();
      const { code, data } = await spoke.refused(createFederationReplica, { body: join });
      expect([code, data?.["reason"]]).toEqual(["invalid_adoption_baseline", "has_native_jobs"]);
      expect(await spoke.events()).toEqual(before);
    },
  );
});
