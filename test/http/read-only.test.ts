import { expect, test } from "vitest";
import type { ErrorBody } from "../../src/contract/errors.ts";
import { notifyIssue } from "../../src/contract/inbox.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { acquireIssueLease } from "../../src/contract/leases.ts";
import { createRecurrence } from "../../src/contract/recurrences.ts";
import { changesState, type Route } from "../../src/contract/route.ts";
import { Host } from "../ops/issue-sync/host.ts";
import { rawOf, type Whole } from "../support/broken.ts";
import type { Json } from "../support/broken-values.ts";
import { makeHub } from "../support/federated.ts";
import { describeStore } from "../support/store.ts";
import { type Seeds, seeded, sent, wholeOf } from "../support/whole.ts";
import { type OpenStore, world } from "../support/world.ts";

/** These routes change what belongs to this daemon alone: its names for folders, tokens, enrollments, the archive. */
const LOCAL = new Set([
  "initProject",
  "resolveProject",
  "removeProject",
  "restoreProject",
  "detachProjectAlias",
  "createFederationEnrollment",
  "rotateFederationEnrollment",
  "revokeFederationEnrollment",
  "rebindFederationReplica",
  "leaveFederationReplica",
  "resyncFederationReplica",
  "verifyFederationReplica",
  "createToken",
  "revokeToken",
  "createWebSessionCode",
  "createLocalWebSession",
  "loginWebSession",
  "logoutWebSession",
  "proxyWebSession",
  "disableIssueSync",
  "testIssueSync",
  "streamEvents",
]);

/** These are refused by another code before they write, whatever the project is. */
const OTHER_CODES: Readonly<Record<string, string>> = {
  enableProjectFederation: "not_a_hub",
  purgeProject: "project_not_archived",
  moveIssue: "federated_move_unsupported",
  undoImport: "import_not_found",
  replaceCronWorkflow: "not_found",
  archiveCronWorkflow: "not_found",
  restoreCronWorkflow: "not_found",
  restoreCronJob: "cron_conflict",
  runIssueSyncOnce: "validation",
  undoProject: "confirm_required",
  enableIssueSync: "issue_sync_federation_conflict",
  sweepCronJob: "validation",
  // The daemon has no connectors. That a bind is refused is shown in test/ops/bridges.
  bindExternalRoot: "unavailable",
  reconcileExternalRootBridge: "unavailable",
  resolveExternalField: "unavailable",
  unbindExternalRoot: "unavailable",
  pauseExternalRootBridge: "unavailable",
  resumeExternalRootBridge: "unavailable",
  resolveExternalComment: "unavailable",
  // A copy that only reads has no batch; one that was stopped from sending may still decide about its batches.
  retryFederationQuarantine: "federation_quarantine_not_found",
  skipFederationQuarantine: "federation_quarantine_not_found",
};

const GATE = ["federated_read_only", "federated_admin_required"];

type Change = (whole: Whole, more: More) => Partial<Whole>;

/** What a request must say to change something that was seeded. */
const CHANGING: Readonly<Record<string, Change>> = {
  patchProjectMetadata: () => ({ body: { actor: "ann", patch: { zone: "UTC" } } }),
  patchIssueMetadata: () => ({ body: { actor: "ann", patch: { work: "x" } } }),
  reopenIssue: ({ params }, { closed }) => ({ params: { ...params, ref: closed } }),
  unassignIssue: ({ params }, { asked }) => ({ params: { ...params, ref: asked } }),
  clearIssueRequest: (whole, { asked }) => ({
    params: { ...whole.params, ref: asked },
    body: { actor: "ann", to: "ann" },
  }),
  moveIssue: (_whole, { elsewhere }) => ({ body: { actor: "ann", to_project_uid: elsewhere } }),
  deleteIssue: (_whole, { name }) => ({ headers: { "x-svc-confirm": `DELETE ${name}` } }),
  purgeIssue: (_whole, { name }) => ({ headers: { "x-svc-confirm": `PURGE ${name}` } }),
  restoreIssue: ({ params }, { deleted }) => ({ params: { ...params, ref: deleted } }),
  resolveExternalComment: () => ({ body: { actor: "ann", action: "skip" } }),
  addLabel: () => ({ body: { actor: "ann", label: "fresh" } }),
  renewIssueLease: ({ params }, { leased }) => ({ params: { ...params, ref: leased } }),
  releaseIssueLease: ({ params }, { leased }) => ({ params: { ...params, ref: leased } }),
  forceReleaseIssueLease: ({ params }, { leased }) => ({ params: { ...params, ref: leased } }),
  replaceCronJob: (whole, { job }) => ({ body: { ...bodyOf(whole), expected_event_uid: job } }),
  archiveCronJob: (whole, { job }) => ({ body: { ...bodyOf(whole), expected_event_uid: job } }),
  patchRecurrence: (whole, { series }) => ({
    params: { ...whole.params, uid: series, recurrence_uid: series },
    body: { actor: "ann", rrule: "FREQ=WEEKLY" },
  }),
  deleteRecurrence: (whole, { series }) => ({
    params: { ...whole.params, uid: series, recurrence_uid: series },
  }),
};

const bodyOf = ({ body }: Whole) => body as { readonly [name: string]: Json };

interface More {
  /** The issue that requests name, as a confirmation spells it. */
  readonly name: string;
  readonly closed: string;
  readonly deleted: string;
  readonly leased: string;
  /** It has an owner, who is asked for attention. */
  readonly asked: string;
  readonly series: string;
  /** The event with the definition of the job. */
  readonly job: string;
  readonly elsewhere: string;
}

async function copied(open: OpenStore) {
  const issueSync = { repositories: [], provider: async () => new Host() };
  const w = await world({ store: open, issueSync });
  const seeds = await seeded(w);
  const project = { id: Number(seeds.project_id) };
  const [closed, deleted, leased, asked] = [
    await w.given.issue({ project }),
    await w.given.issue({ project }),
    await w.given.issue({ project }),
    await w.given.issue({ project, owner: "ann" }),
  ];
  await w.given.closed(closed);
  await w.given.deleted(deleted);
  const lease = { claim_kind: "timed", ttl_seconds: 600 } as const;
  await w.call(acquireIssueLease, { params: leased.path, body: lease });
  const { recurrence } = await w.call(createRecurrence, {
    params: { project_id: project.id },
    body: {
      rrule: "FREQ=DAILY",
      dtstart: "2026-01-01",
      timezone: "UTC",
      template: { title: "daily" } as never,
    },
  });
  await w.call(notifyIssue, {
    params: asked.path,
    body: { message: "look", to: "ann" },
  });
  const elsewhere = await w.given.project("elsewhere");
  const named = await w.store.read(async ({ issues }) => await issues.find(seeds.ref));
  const more: More = {
    name: `web#${named?.short_id}`,
    closed: closed.uid,
    deleted: deleted.uid,
    leased: leased.uid,
    asked: asked.uid,
    series: recurrence.uid,
    job: seeds.job_event_uid,
    elsewhere: elsewhere.uid,
  };
  await makeHub(w, { uid: seeds.project_uid }, { role: "spoke", hub_url: "https://hub.example" });
  return { w, seeds, more };
}

function requestTo(route: Route, seeds: Seeds, more: More) {
  const whole = wholeOf(route, seeds);
  return rawOf(route, { ...whole, ...CHANGING[route.id]?.(whole, more) });
}

describeStore("a copy that only reads", (open) => {
  test("is changed by no route, and each route that would change it is refused with an expected error code", async () => {
    const { w, seeds, more } = await copied(open);
    const eventsOfCopy = async () =>
      (await w.events()).filter(({ project_uid }) => project_uid === seeds.project_uid);
    const before = await eventsOfCopy();
    const wrong: string[] = [];
    const writing = ROUTES.filter(changesState);
    for (const route of writing) {
      if (LOCAL.has(route.id) || !route.path.includes("{project_id}")) continue;
      const response = await sent(w, requestTo(route, seeds, more));
      const { error } = (await response.json()) as Partial<ErrorBody>;
      const other = OTHER_CODES[route.id];
      const meant = other === undefined ? GATE : [other];
      if (error === undefined || !meant.includes(error.code))
        wrong.push(`${route.id}: ${error?.code ?? response.status}`);
    }
    expect(wrong).toEqual([]);
    expect((await eventsOfCopy()).slice(before.length)).toEqual([]);
  });
});
