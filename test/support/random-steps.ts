import fc from "fast-check";
import { msToInstant } from "../../src/base/clock.ts";
import type { JsonObject } from "../../src/base/json.ts";
import {
  assignIssue,
  claimIssue,
  closeIssue,
  reopenIssue,
  setIssuePriority,
  unassignIssue,
} from "../../src/contract/actions.ts";
import { createComment, editComment } from "../../src/contract/comments.ts";
import {
  archiveCronJob,
  createCronJob,
  replaceCronJob,
  restoreCronJob,
} from "../../src/contract/cron-jobs.ts";
import { observeCronRun } from "../../src/contract/cron-runs.ts";
import { createCronWorkflow } from "../../src/contract/cron-workflows.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { clearIssueRequest, notifyIssue } from "../../src/contract/inbox.ts";
import { createIssue, editIssue, patchIssueMetadata } from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import {
  acquireIssueLease,
  forceReleaseIssueLease,
  releaseIssueLease,
  renewIssueLease,
  takeReadyIssue,
} from "../../src/contract/leases.ts";
import { createLink, deleteLink } from "../../src/contract/links.ts";
import { applyPlan } from "../../src/contract/plans.ts";
import {
  detachProjectAlias,
  mergeProject,
  patchProjectMetadata,
  purgeProject,
  removeProject,
  restoreProject,
  rewriteAuthorIdentity,
} from "../../src/contract/project-actions.ts";
import { initProject, renameProject } from "../../src/contract/projects.ts";
import {
  createRecurrence,
  deleteRecurrence,
  patchRecurrence,
} from "../../src/contract/recurrences.ts";
import { deleteIssue, moveIssue, purgeIssue, restoreIssue } from "../../src/contract/removal.ts";
import type { Route } from "../../src/contract/route.ts";
import { undoProject } from "../../src/contract/undo.ts";
import type { StoredIssue, StoredProject } from "../../src/store/types/rows.ts";
import type { Reader } from "../../src/store/types/store.ts";
import type { CallInput, World } from "./world.ts";

/**
 * The steps of random runs. Each new operation is added here. Then its events are tested together with those of all
 * others: the tables must equal the fold (`test/ops/fold.test.ts`).
 */

/** The numbers choose among what exists, so that most steps change something and some are refused. */
export interface Step {
  readonly act: Act;
  readonly by: number;
  readonly at: number;
  readonly other: number;
  readonly value: number;
}

export const ACTORS = ["ann", "bea", "cyd", "dov", "eli", "fay", "gus", "hal"] as const;

/** The first actor makes half of the changes, so that its leases prevent few of them. */
export const actorOf = (by: number): string => ACTORS[by < ACTORS.length ? 0 : by % 8] ?? "ann";

export type Ask = (w: World, actor: string) => Promise<Response>;

function ask<T extends Route>(route: T, input: CallInput<T>): Ask {
  return async (w, actor) => await w.send(route, { ...input, actor });
}

/** The later requests are sent even if an earlier one was refused. */
function sendAll(...asks: readonly Ask[]): Ask {
  return async (w, actor) => {
    let last: Response | undefined;
    for (const each of asks) {
      last = await each(w, actor);
      if (last.status >= 500) return last;
    }
    return last ?? new Response();
  };
}

export interface OnProject {
  readonly project: StoredProject;
  readonly peer: StoredProject;
  /** An issue of any project, if there is one. */
  readonly issue: StoredIssue | undefined;
  readonly value: number;
  readonly reader: Reader;
}

type ProjectStep = (on: OnProject) => Promise<Ask | undefined> | Ask | undefined;

const create = (
  { project }: OnProject,
  fields: Partial<CallInput<typeof createIssue>["body"]> = {},
  key?: string,
): Ask =>
  ask(createIssue, {
    params: { project_id: project.id },
    body: { title: "an issue", ...fields },
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });

/** The requests to a project; some are rare, because they change little. */
export const ON_PROJECT = {
  create: (on) => create(on),
  createFull: (on) =>
    create(on, { owner: owner(on.value), priority: on.value % 5, labels: [`l${on.value}`, "all"] }),
  createKeyed: (on) => create(on, {}, `k${on.value}`),
  createLinked: (on) => {
    if (on.issue === undefined) return undefined;
    const type = LINKS[on.value % 3] ?? "blocks";
    const incoming = on.value > 3 && type !== "parent";
    return create(on, { links: [{ type, to_ref: on.issue.uid, incoming }] });
  },
  archive: ({ project, value }) =>
    value > 0
      ? undefined
      : ask(removeProject, { params: { project_id: project.id }, query: { force: true } }),
  unarchive: ({ project }) => ask(restoreProject, { params: { project_id: project.id } }),
  purgeProject: ({ project, peer, value }) => {
    if (value > 0 || project.uid !== peer.uid) return undefined;
    const params = { project_id: project.id };
    const headers = { "x-svc-confirm": `PURGE ${project.name}` };
    return sendAll(
      ask(removeProject, { params, query: { force: true } }),
      ask(purgeProject, { params, headers }),
    );
  },
  merge: ({ project, peer, value }) => {
    if (value > 1) return undefined;
    const body = { source_project_id: peer.id };
    return ask(mergeProject, { params: { project_id: project.id }, body });
  },
  rename: ({ project, value }) =>
    ask(renameProject, { params: { project_id: project.id }, body: { name: `p${value}` } }),
  rewrite: ({ project, value }) =>
    ask(rewriteAuthorIdentity, {
      params: { project_id: project.id },
      body: { from: owner(value), to: owner(value + 1) },
    }),
  projectMetadata: ({ project, value }) =>
    ask(patchProjectMetadata, {
      params: { project_id: project.id },
      body: { patch: { [`m${value % 2}`]: value === 0 ? null : value } },
    }),
  alias: ({ project, value }) =>
    ask(initProject, {
      body: {
        name: project.name,
        alias: { identity: `github.com/x/r${value}`, kind: "git" },
        reassign: value > 2,
      },
    }),
  unalias: async ({ project, reader, value }) => {
    const aliases = await reader.projects.aliases(project.uid);
    const alias = aliases[value % Math.max(1, aliases.length)];
    if (alias === undefined) return undefined;
    const params = { project_id: project.id, alias_id: alias.id };
    return ask(detachProjectAlias, { params, query: { force: value > 2 } });
  },
  take: ({ project, value }) =>
    ask(takeReadyIssue, {
      params: { project_id: project.id },
      body: value < 3 ? {} : { lease: { ttl_seconds: 60 } },
    }),
  takeKeyed: ({ project, value }) =>
    ask(takeReadyIssue, {
      params: { project_id: project.id },
      headers: { "idempotency-key": `k${value % 3}` },
      body: value < 3 ? {} : { lease: { ttl_seconds: 60 } },
    }),
  plan: ({ project, value }) =>
    ask(applyPlan, {
      params: { project_id: project.id },
      body: {
        plan: sometimesShared(value, project),
        issues: [
          { name: "a", title: "a", parent: "b" },
          { name: "b", title: "b", blocks: value > 3 ? ["c"] : [] },
          { name: "c", title: "c", labels: ["l1"], blocked_by: ["a"] },
        ],
      },
    }),
  sleepingSeries: ({ project, value }) =>
    value > 1 ? undefined : ask(createRecurrence, seriesOf(project.id, value)),
  patchSeries: async ({ project, reader, value }) => {
    const [series] = await reader.recurrences.list(project.uid);
    if (series === undefined) return undefined;
    return ask(patchRecurrence, {
      params: { project_id: project.id, recurrence_uid: series.uid },
      headers: { "if-match": `"rev-${series.revision}"` },
      body: SERIES_CHANGES[value] ?? {},
    });
  },
  goOnWithSeries: async ({ project, reader, value }) => {
    const all = await reader.recurrences.list(project.uid);
    const ref = all[value % Math.max(1, all.length)]?.last_materialized_uid ?? undefined;
    if (ref === undefined) return undefined;
    const params = { project_id: project.id, ref };
    const close = ask(closeIssue, { params, body: { source: "tui" } });
    return value > 3 ? sendAll(close, ask(reopenIssue, { params }), close) : close;
  },
  endSeries: async ({ project, reader, value }) => {
    const [series] = await reader.recurrences.list(project.uid);
    if (series === undefined || value > 0) return undefined;
    const params = { project_id: project.id, recurrence_uid: series.uid };
    return ask(deleteRecurrence, { params, headers: { "if-match": `"rev-${series.revision}"` } });
  },
  createJob: ({ project, issue, value }) =>
    issue === undefined || value > 2
      ? undefined
      : ask(createCronJob, {
          params: { project_id: project.id },
          body: { name: `j${value}`, definition: jobOn(issue.uid, value) },
        }),
  replaceJob: async ({ project, reader, value }) => {
    const jobs = await reader.cron.jobs(project.uid);
    const job = jobs[value % Math.max(1, jobs.length)];
    if (job === undefined) return undefined;
    const on = job.parent_uid ?? job.uid;
    return ask(replaceCronJob, {
      params: { project_id: project.id, cron_uid: job.uid },
      body: {
        name: job.name,
        definition: jobOn(on, value),
        expected_event_uid: job.definition_event_uid,
      },
    });
  },
  endJob: async ({ project, reader, value }) => {
    const [job] = await reader.cron.jobs(project.uid);
    if (job === undefined) return undefined;
    const params = { project_id: project.id, cron_uid: job.uid };
    const body = { expected_event_uid: job.definition_event_uid };
    return ask(value > 2 ? archiveCronJob : restoreCronJob, { params, body });
  },
  workflow: ({ project, value }) =>
    ask(createCronWorkflow, {
      params: { project_id: project.id },
      body: {
        name: `w${value}`,
        definition: { version: 1, steps: [{ key: "a", kind: "command", command: "make" }] },
      },
    }),
  observeRun: async ({ project, reader, value, issue }) => {
    const [job] = await reader.cron.jobs(project.uid);
    if (job === undefined) return undefined;
    return ask(observeCronRun, {
      params: { project_id: project.id, run_uid: `01K4M0000000000000000000R${value}` },
      body: {
        job_uid: job.uid,
        definition_event_uid: job.definition_event_uid,
        status: value > 2 ? "running" : "succeeded",
        summary: { version: 1, input_tokens: value },
        expected_revision: value % 2,
        ...(issue === undefined ? {} : { issue_uid: issue.uid }),
      },
    });
  },
  undo:
    ({ project, value }) =>
    async (w, actor) => {
      const body = { of_actor: owner(value), since: msToInstant(w.clock.nowMs() - AN_HOUR_MS) };
      const params = { project_id: project.id };
      const plan = await w.send(undoProject, { params, body: { ...body, dry_run: true }, actor });
      if (plan.status !== 200) return plan;
      const { confirm } = undoProject.response().parse(await plan.json());
      const headers = { "x-svc-confirm": confirm };
      return await w.send(undoProject, { params, body, headers, actor });
    },
  import: ({ project, value }) =>
    ask(importIssues, {
      params: { project_id: project.id },
      body: {
        source: sometimesShared(value, project),
        items: [imported(value), imported(value + 1)],
      },
    }),
} as const satisfies Readonly<Record<string, ProjectStep>>;

/** Mostly recurring jobs, whose parent is the issue. */
function jobOn(uid: string, value: number): JsonObject {
  const trigger =
    value === 1
      ? { kind: "cron", cron: "0 */6 * * *", timezone: "Europe/Berlin" }
      : { kind: "interval", interval_seconds: 7200 * (value + 1) };
  const work =
    value === 2
      ? {
          action: { kind: "execute", prompt: "check" },
          issue: { kind: "existing", uid },
          overlap: "forbid",
        }
      : {
          action: { kind: "notify", recipient: "current-owner-or-author" },
          issue: { kind: "per-run", parent_uid: uid, title: `due ${value}` },
          overlap: "allow",
        };
  const catchup = ["all", "latest"][value % 2] ?? "all";
  return { version: 1, kind: "job", enabled: value < 4, trigger, catchup, ...work };
}

/** A series, which may begin with an issue. */
function seriesOf(project_id: number, value: number, ref?: string) {
  const rrule = ["FREQ=DAILY", "FREQ=WEEKLY;COUNT=3", "FREQ=MONTHLY;BYDAY=-1FR"][value % 3] ?? "";
  const template = { title: `every ${value}`, labels: [`l${value}`], metadata: { m: value } };
  const timezone = ["UTC", "Asia/Tokyo"][value % 2] ?? "UTC";
  const body = { rrule, dtstart: "2026-01-02", timezone, template };
  const first = ref === undefined ? {} : { initial_issue_ref: ref };
  return { params: { project_id }, body: { ...body, ...first } };
}

const SERIES_CHANGES = [
  { timezone: "Pacific/Kiritimati" },
  { timezone: "America/New_York", template: { owner: "bea", priority: 1 } },
  { rrule: "FREQ=DAILY;INTERVAL=2" },
  { template: { title: "another", clear_owner: true, labels: [] } },
  { rrule: "FREQ=DAILY;UNTIL=20260103" },
];

/** Two projects that imported the same records cannot be merged, so most sources differ. */
function sometimesShared(value: number, { uid }: StoredProject): string {
  return value === 0 ? "shared" : `p${value}-${uid}`;
}

function imported(value: number) {
  const times = {
    created_at: "2025-12-01T00:00:00Z",
    updated_at: `2026-01-0${value + 1}T00:00:00Z`,
  };
  return {
    external_id: `x${value % 4}`,
    title: `imported ${value}`,
    author: owner(value),
    status: value % 3 === 0 ? ("closed" as const) : ("open" as const),
    ...times,
    labels: [`l${value}`],
    comments: [
      { external_id: `c${value}`, author: "bea", body: "so", created_at: times.created_at },
    ],
    links: [{ type: LINKS[value % 3] ?? "blocks", target_external_id: `x${(value + 1) % 4}` }],
  };
}

export interface OnIssue {
  readonly issue: StoredIssue;
  readonly peer: StoredIssue;
  readonly params: { readonly project_id: number; readonly ref: string };
  /** A project; it may be that of the issue. */
  readonly project: StoredProject;
  readonly value: number;
  readonly reader: Reader;
}

type IssueStep = (on: OnIssue) => Promise<Ask | undefined> | Ask | undefined;

export const ON_ISSUE = {
  edit: ({ params, value }) =>
    ask(editIssue, {
      params,
      body: {
        title: `t${value}`,
        owner: value === 0 ? "" : owner(value),
        set_priority: value % 5,
      },
    }),
  editLinks: ({ params, peer, value }) => {
    const change = DELTAS[value] ?? "add_blocks";
    const links_delta = { [change]: change === "set_parent" ? peer.uid : [peer.uid] };
    return ask(editIssue, { params, body: { links_delta } });
  },
  unlink: ({ params, peer: { uid } }) =>
    ask(editIssue, {
      params,
      body: {
        links_delta: { remove_blocks: [uid], remove_blocked_by: [uid], remove_related: [uid] },
      },
    }),
  link: ({ params, peer, value }) =>
    ask(createLink, { params, body: { type: LINKS[value % 3] ?? "blocks", to_ref: peer.uid } }),
  parent: ({ params, peer }) =>
    ask(createLink, { params, body: { type: "parent", to_ref: peer.uid, replace: true } }),
  removeLink: async ({ params, issue, reader, value }) => {
    const links = await reader.links.touching([issue.uid]);
    const link = links[value % Math.max(1, links.length)];
    if (link === undefined) return undefined;
    return ask(deleteLink, { params: { ...params, link_id: link.id } });
  },
  beginSeries: ({ params, value }) =>
    ask(createRecurrence, seriesOf(params.project_id, value, params.ref)),
  noZone: ({ params }) => ask(patchIssueMetadata, { params, body: { patch: { timezone: null } } }),
  close: ({ params }) => ask(closeIssue, { params, body: { source: "tui" } }),
  closeSaid: ({ params, value }) =>
    ask(closeIssue, {
      params,
      body: { source: "tui", reason: "wontfix", message: `left out because of reason ${value}` },
    }),
  closeKeyed: ({ params, value }) =>
    ask(closeIssue, {
      params,
      headers: { "idempotency-key": `k${value}` },
      body: { source: "tui", retry_protocol: "close-v1" },
    }),
  reopen: ({ params }) => ask(reopenIssue, { params }),
  assign: ({ params, value }) => ask(assignIssue, { params, body: { owner: owner(value) } }),
  unassign: ({ params }) => ask(unassignIssue, { params }),
  claim: ({ params, value }) => ask(claimIssue, { params, body: { force: value > 2 } }),
  lease: ({ params, value }) =>
    ask(acquireIssueLease, {
      params,
      body: value > 3 ? {} : { claim_kind: "timed", ttl_seconds: 43_200 },
    }),
  renewLease: async ({ params, ...on }) =>
    ask(renewIssueLease, { params, body: { ...(await holder(on)), ttl_seconds: 60 } }),
  leaseRound: ({ params, value }) =>
    sendAll(
      ask(acquireIssueLease, { params, body: { claim_kind: "timed", ttl_seconds: 600 } }),
      ask(renewIssueLease, { params, body: { ttl_seconds: 60 } }),
      ask(addLabel, { params, body: { label: `l${value}` } }),
      ask(value < 4 ? releaseIssueLease : forceReleaseIssueLease, { params, body: {} }),
    ),
  endLease: async ({ params, ...on }) =>
    on.value < 5
      ? ask(releaseIssueLease, { params, body: await holder(on) })
      : ask(forceReleaseIssueLease, { params, body: {} }),
  priority: ({ params, value }) =>
    ask(setIssuePriority, { params, body: { priority: value === 5 ? null : value } }),
  park: ({ params }) => ask(patchIssueMetadata, { params, body: { patch: { someday: true } } }),
  unpark: ({ params }) =>
    ask(patchIssueMetadata, { params, body: { patch: { someday: null, scheduled_on: null } } }),
  schedule: ({ params, value }) =>
    ask(patchIssueMetadata, { params, body: { patch: SCHEDULES[value] ?? {} } }),
  deadline: ({ params, value }) =>
    ask(patchIssueMetadata, { params, body: { patch: DEADLINES[value] ?? {} } }),
  notify: ({ params, value }) =>
    ask(notifyIssue, { params, body: { to: owner(value), message: `m${value}` } }),
  clearRequest: ({ params, issue, value }) =>
    ask(clearIssueRequest, {
      params,
      body: { to: value > 3 ? owner(value) : (issue.owner ?? issue.author) },
    }),
  label: ({ params, value }) => ask(addLabel, { params, body: { label: `l${value}` } }),
  unlabel: ({ params, value }) => ask(removeLabel, { params: { ...params, label: `l${value}` } }),
  comment: ({ params, value }) =>
    ask(createComment, {
      params,
      headers: { "idempotency-key": `k${value}` },
      body: { body: `c${value}` },
    }),
  editComment: async ({ params, issue, reader, value }) => {
    const comments = await reader.comments.of(issue.uid);
    const comment = comments[value % Math.max(1, comments.length)];
    if (comment === undefined) return undefined;
    const body = { body: `e${value}` };
    return ask(editComment, { params: { ...params, comment_ref: comment.uid }, body });
  },
  delete: ({ params, issue }) => ask(deleteIssue, { params, headers: confirm("DELETE", issue) }),
  restore: ({ params }) => ask(restoreIssue, { params }),
  purge: ({ params, issue, value }) =>
    value > 2 ? undefined : ask(purgeIssue, { params, headers: confirm("PURGE", issue) }),
  move: ({ params, issue, project }) =>
    ask(moveIssue, {
      params,
      headers: { "if-match": `"rev-${issue.revision}"` },
      body: { to_project_uid: project.uid },
    }),
} as const satisfies Readonly<Record<string, IssueStep>>;

/** Mostly the holder of the lease makes the request. */
async function holder({ issue, reader, value }: Pick<OnIssue, "issue" | "reader" | "value">) {
  const lease = await reader.leases.of(issue.uid);
  return lease === undefined || value === 0 ? {} : { actor: lease.holder };
}

/** The issue was read earlier, so another step may have made the text out of date. Then the request is refused. */
function confirm(verb: string, issue: StoredIssue) {
  return { "x-svc-confirm": `${verb} ${issue.project_name}#${issue.short_id}` };
}

const owner = (value: number): string => ACTORS[value % ACTORS.length] ?? "ann";

const AN_HOUR_MS = 3_600_000;
const LINKS = ["parent", "blocks", "related"] as const;
const DELTAS = [
  "set_parent",
  "add_blocks",
  "remove_blocks",
  "add_blocked_by",
  "remove_blocked_by",
  "add_related",
] as const;
const SCHEDULES: readonly JsonObject[] = [
  { scheduled_on: "2026-01-01" },
  { scheduled_on: "2026-01-02" },
  { scheduled_on: "2026-01-03T12:00", timezone: "Asia/Tokyo" },
  { scheduled_on: "2026-01-02T00:00:00Z" },
  { scheduled_on: "2027-01-01" },
  { timezone: "America/Los_Angeles" },
];

const DEADLINES: readonly JsonObject[] = [
  { deadline_on: "2026-01-01" },
  { deadline_on: "2026-01-02T06:00" },
  { deadline_on: "2026-01-04T00:00:00Z" },
  { deadline_on: "2027-01-01" },
  { deadline_on: null },
  { deadline_on: null, scheduled_on: null },
];

/** Steps that belong to no project and no issue: time passes, leases expire, dates are reached. */
const BESIDE = ["wait", "sweepLeases", "sweepDates", "sweepJobs"] as const;

export type Act = (typeof BESIDE)[number] | keyof typeof ON_PROJECT | keyof typeof ON_ISSUE;

const keys = <T extends object>(table: T) => Object.keys(table) as (keyof T)[];
/** Acts that are listed again happen more often. */
const OFTEN: readonly Act[] = [
  ...["create", "create", "createFull", "createLinked", "editLinks", "close", "unarchive"],
  ...["comment", "lease", "move", "move"],
] as const;
const ACTS: readonly Act[] = [...BESIDE, ...keys(ON_PROJECT), ...keys(ON_ISSUE), ...OFTEN];

export const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...ACTS),
  by: fc.nat(15),
  at: fc.nat(10_000),
  other: fc.nat(10_000),
  value: fc.nat(5),
});
