import { expect, onTestFinished, test } from "vitest";
import { closeIssue } from "../../src/contract/actions.ts";
import { previewCronJob, showCronJobLedger, sweepCronJob } from "../../src/contract/cron-ledger.ts";
import { createCronWorkflow, restoreCronWorkflow } from "../../src/contract/cron-workflows.ts";
import { notifyIssue } from "../../src/contract/inbox.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { createIssue, showIssue } from "../../src/contract/issues.ts";
import { acquireIssueLease, releaseIssueLease, takeReadyIssue } from "../../src/contract/leases.ts";
import { MAX_UNDO_EVENTS } from "../../src/contract/limits.ts";
import { initProject } from "../../src/contract/projects.ts";
import { deleteIssue } from "../../src/contract/removal.ts";
import type { Route } from "../../src/contract/route.ts";
import { undoProject } from "../../src/contract/undo.ts";
import { openStore } from "../../src/store/open.ts";
import { W as WORKFLOW } from "../domain/cron/bases.ts";
import { rawOf, type Whole } from "../support/broken.ts";
import type { Json } from "../support/broken-values.ts";
import { sqliteDatabase } from "../support/store.ts";
import { UNUSED_CONNECTORS } from "../support/unused-connectors.ts";
import { seeded, sent, wholeOf } from "../support/whole.ts";
import { type World, world } from "../support/world.ts";

async function sqliteWorld(): Promise<World> {
  return await world({ store: (await sqliteDatabase()).open });
}

async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { readonly error?: { readonly code: string } };
  return error?.code ?? `answered ${response.status}`;
}

/** Routes for other daemons ask for the token of an enrollment first. Two routes name the project in their bodies. */
const ROUTES_WITH_PROJECT = ROUTES.filter(
  ({ id, errors, access }) =>
    errors.includes("project_not_found") &&
    access !== "enrollment" &&
    id !== "createFederationEnrollment" &&
    id !== "rotateFederationEnrollment",
);

test("every route with a project answers project_not_found for a missing project", async () => {
  // Without connectors, the routes of bridges answer that first.
  const { open } = await sqliteDatabase();
  const w = await world({ store: open, roots: UNUSED_CONNECTORS });
  const seeds = await seeded(w);
  const found: (readonly [string, string])[] = [];
  for (const route of ROUTES_WITH_PROJECT) {
    const whole = wholeOf(route, seeds);
    const elsewhere = { ...whole, params: { ...whole.params, project_id: "99" } };
    const inQuery = { query: new URLSearchParams({ ...whole.query, project_id: "99" }).toString() };
    const asked = route.path.includes("{project_id}")
      ? rawOf(route, elsewhere)
      : rawOf(route, whole, inQuery);
    found.push([route.id, await codeOf(await sent(w, asked))]);
  }
  expect(found).toEqual(ROUTES_WITH_PROJECT.map(({ id }) => [id, "project_not_found"]));
});

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

/** Makes issues on which each change changes something: one of each kind, with the same kind of lease. */
async function changeable(w: World, lease: (on: GivenIssue) => Promise<void>) {
  const project = await w.given.project();
  const elsewhere = await w.given.project("shop");
  const make = async (): Promise<GivenIssue> =>
    await w.given.issue({ project, labels: ["ui"], owner: "kim", actor: BEA });
  const [open, closed, deleted, other] = [await make(), await make(), await make(), await make()];
  const { comment } = await w.given.comment({ on: open });
  const link = await w.given.link(open, "blocks", other);
  await w.call(notifyIssue, { params: open.path, body: { to: "cyd", message: "look" } });
  await w.call(closeIssue, { params: closed.path, body: { source: "tui" } });
  const confirm = { "x-svc-confirm": `DELETE ${deleted.qualified_id}` };
  for (const issue of [open, closed, deleted]) await lease(issue);
  await w
    .call(deleteIssue, { params: deleted.path, headers: confirm, body: { actor: BEA } })
    .catch(async () => {
      await w.given.deleted({ uid: deleted.uid, project_uid: project.uid });
    });
  const { issue } = await w.call(showIssue, { params: open.path });
  return { open, closed, deleted, other, comment, link, elsewhere, revision: issue.revision };
}

type Changeable = Awaited<ReturnType<typeof changeable>>;

const BEA = "bea";

/** Returns the rest of a request of the route, such that the request changes something. */
function changeOf(route: Route, on: Changeable): Partial<Whole> & { readonly ref?: string } {
  const body = (fields: { readonly [name: string]: Json }) => ({
    body: { actor: "ann", ...fields },
  });
  const confirm = (verb: string) => ({
    headers: { "x-svc-confirm": `${verb} ${on.open.qualified_id}` },
    ...body({}),
  });
  const changes: Readonly<Record<string, Partial<Whole> & { readonly ref?: string }>> = {
    editIssue: body({ title: "another" }),
    patchIssueMetadata: body({ patch: { k: "v" } }),
    closeIssue: body({ source: "tui" }),
    reopenIssue: { ref: on.closed.uid, ...body({}) },
    assignIssue: body({ owner: "zoe" }),
    unassignIssue: body({}),
    claimIssue: body({ force: true }),
    setIssuePriority: body({ priority: 3 }),
    notifyIssue: body({ to: "zoe", message: "look" }),
    clearIssueRequest: body({ to: "cyd" }),
    moveIssue: {
      headers: { "if-match": `"rev-${on.revision}"` },
      ...body({ to_project_uid: on.elsewhere.uid }),
    },
    deleteIssue: confirm("DELETE"),
    restoreIssue: { ref: on.deleted.uid, ...body({}) },
    purgeIssue: confirm("PURGE"),
    createComment: body({ body: "well" }),
    editComment: body({ body: "better" }),
    addLabel: body({ label: "api" }),
    removeLabel: {},
    createLink: body({ type: "related", to_ref: on.other.uid }),
    deleteLink: {},
  };
  return changes[route.id] ?? body({});
}

const FENCED = ROUTES.filter(({ fenced }) => fenced !== undefined);

test.each<[string, (w: World) => (on: GivenIssue) => Promise<void>, string]>([
  ["claim_denied", (w) => async (on) => await leasedBy(w, on, BEA), "1"],
  ["claim_not_held", () => async () => undefined, "1"],
  ["claim_expired", (w) => async (on) => await leasedBy(w, on, "ann", 60), "1"],
  [
    "fence_stale",
    (w) => async (on) => {
      await leasedBy(w, on, "ann");
      await w.call(releaseIssueLease, { params: on.path, body: {} });
      await leasedBy(w, on, "ann");
    },
    "1",
  ],
])(
  "every change of one issue is refused with %s if the state of its lease forbids it",
  async (code, lease, fence) => {
    const w = await sqliteWorld();
    const on = await changeable(w, lease(w));
    if (code === "claim_expired") w.clock.advance(60_001);
    const before = await w.events();
    const found: (readonly [string, string])[] = [];
    const routes = FENCED.filter(({ errors }) => (errors as readonly string[]).includes(code));
    for (const route of routes) {
      const { ref = on.open.uid, headers = {}, body } = changeOf(route, on);
      const whole: Whole = {
        params: {
          project_id: String(on.open.project_id),
          ref,
          comment_ref: on.comment.uid,
          label: "ui",
          link_id: String(on.link.id),
        },
        query: body === undefined ? { actor: "ann" } : {},
        headers: { ...headers, "x-svc-fence": fence },
        body,
      };
      found.push([route.id, await codeOf(await sent(w, rawOf(route, whole)))]);
    }
    expect(found).toEqual(routes.map(({ id }) => [id, code]));
    expect(FENCED.length - routes.length).toBe(code === "claim_denied" ? 4 : 0);
    expect(await w.events()).toEqual(before);
  },
);

async function leasedBy(
  w: World,
  on: GivenIssue,
  actor: string,
  ttl_seconds?: number,
): Promise<void> {
  const timed = ttl_seconds === undefined ? {} : ({ claim_kind: "timed", ttl_seconds } as const);
  await w.call(acquireIssueLease, { params: on.path, body: { actor, ...timed } });
}

test("a folder that belongs to another project is rebound only when the request says so", async () => {
  const w = await sqliteWorld();
  const body = { name: "web", start_path: "/home/ann/web" };
  await w.call(initProject, { body });
  const refused = await w.refused(initProject, { body: { ...body, name: "shop" } });
  expect(refused).toMatchObject({
    code: "project_binding_conflict",
    data: { project: "web", requested: "shop" },
  });
  const moved = await w.call(initProject, { body: { ...body, name: "shop", replace: true } });
  expect(moved).toMatchObject({
    created: true,
    project: { name: "shop" },
    alias: { project_id: moved.project.id },
  });
  await w.call(initProject, { body: { ...body, reassign: true } });
});

test("a workflow is created once under its uid, and restoring it requires the uid of its last event", async () => {
  const w = await sqliteWorld();
  const { path: params } = await w.given.project();
  const body = { name: "build", definition: WORKFLOW, uid: "01K4M0000000000000000000C9" };
  const { workflow } = await w.call(createCronWorkflow, { params, body });
  const again = await w.refused(createCronWorkflow, { params, body: { ...body, name: "another" } });
  expect(again.code).toBe("cron_conflict");
  const restored = await w.refused(restoreCronWorkflow, {
    params: { ...params, cron_uid: workflow.uid },
    body: {},
  });
  expect(restored.code).toBe("cron_conflict");
});

test("an undo of one project is refused for conflicts and for too many events, like an undo of all projects", async () => {
  const w = await sqliteWorld();
  const project = await w.given.project();
  const issue = await w.given.issue({ project, actor: BEA });
  await w.given.comment({ on: issue });
  const body = { of_actor: BEA, since: "2025-12-31T00:00:00Z" };
  const refused = await w.refused(undoProject, { params: project.path, body });
  expect(refused.code).toBe("undo_conflict");
  w.clock.advance(1000);
  await w.store.write(async (tx) => {
    const payload = { reason: "sibling-burst", parent: "" } as const;
    for (let count = 0; count <= MAX_UNDO_EVENTS; count += 1)
      await tx.append({ type: "close.throttled", actor: BEA, project_uid: project.uid, payload });
  });
  const many = await w.refused(undoProject, {
    params: project.path,
    body: { ...body, dry_run: true },
  });
  expect(many.code).toBe("undo_too_large");
});

test("a request for the preview, the ledger or a sweep of a missing job is refused", async () => {
  const w = await sqliteWorld();
  const { path } = await w.given.project();
  const params = { ...path, cron_uid: "01K4M0000000000000000000C9" };
  for (const route of [previewCronJob, showCronJobLedger, sweepCronJob])
    expect((await w.refused(route, { params })).code).toBe("not_found");
});

test("a change that arrives after the database is closed is refused as unavailable", async () => {
  const w = await sqliteWorld();
  const { path: params } = await w.given.project();
  await w.store.close();
  const refused = await w.refused(createIssue, { params, body: { title: "too late" } });
  expect(refused.code).toBe("unavailable");
});

test("a change has an unknown outcome if the database lock is lost during its commit, and the next change is refused", async () => {
  const { target } = await sqliteDatabase();
  let [guards, looks] = [false, 0];
  // The lock is checked before and after each commit, and is lost in between.
  const lockHeld = (): boolean => !guards || ++looks < 2;
  const w = await world({
    store: async (options) => await openStore({ ...options, ...target, lockHeld }),
  });
  onTestFinished(async () => await w.store.close());
  const { path: params } = await w.given.project();
  guards = true;
  const titled = (title: string) => ({ params, body: { title } });
  expect(await w.refused(createIssue, titled("a"))).toMatchObject({
    code: "outcome_unknown",
    data: { reason: "database_lock_gone" },
  });
  expect(await w.refused(createIssue, titled("b"))).toMatchObject({ code: "unavailable" });
});

test("an actor can take an issue again although their own lease on it has just expired", async () => {
  const w = await sqliteWorld();
  const issue = await w.given.issue();
  await leasedBy(w, issue, "ann", 60);
  w.clock.advance(60_001);
  const taken = await w.call(takeReadyIssue, {
    params: { project_id: issue.project_id },
    body: {},
  });
  expect(taken.issue).toMatchObject({ uid: issue.uid, owner: "ann" });
  const kinds = (await w.events()).map(({ type }) => type);
  expect(kinds.slice(-2)).toEqual(["claim.expired", "issue.assigned"]);
});
