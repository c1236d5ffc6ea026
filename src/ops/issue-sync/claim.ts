import { type Instant, msToInstant } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import {
  type BindingRow,
  dueAtMs,
  isClaimed,
  type StatusRow,
} from "../../domain/issue-sync/run.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { OpStore } from "../deps.ts";
import { type BoundProject, type RunClaim, requireClaim, statusOf } from "./binding.ts";
import type { RepositoryIdentity } from "./far-side.ts";

/** Takes the binding for a run that begins now; `undefined` if another run has it. */
export async function claimRun(
  tx: Tx,
  { binding, status }: BoundProject,
  nowMs: number,
): Promise<RunClaim | undefined> {
  if (isClaimed(status, nowMs)) return undefined;
  const { project_uid } = binding;
  const started_at = msToInstant(nowMs);
  await tx.unfolded.put("issue_sync_status", {
    ...status,
    sync_started_at: started_at,
    last_attempt_at: started_at,
  });
  return { project_uid, started_at };
}

/** How many bindings a pass of the runner begins at most. */
const MOST_DUE = 100; // docs/contract/issue-sync.md#4-runs

/** How many bindings are read at a time. */
const PAGE = 500;

export interface DueRuns {
  /** The projects whose runs are due, those that waited longest first. */
  readonly projects: readonly string[];
  /** When the next run of another project is due, in ms. */
  readonly nextMs: number | undefined;
  /** How many bindings of active projects are enabled, and how many of these failed in their last run. */
  readonly enabled: number;
  readonly failing: number;
}

/** The bindings of active projects whose runs are due. */
export async function dueRuns(reader: Reader, nowMs: number): Promise<DueRuns> {
  const due: StatusRow[] = [];
  let nextMs: number | undefined;
  let [enabled, failing] = [0, 0];
  for await (const binding of eachBinding(reader)) {
    const project = await reader.projects.find(binding.project_uid);
    if (project === undefined || project.deleted_at !== null) continue;
    const status = await statusOf(reader, binding.project_uid);
    enabled += binding.enabled;
    failing += binding.enabled === 1 && status.last_error !== null ? 1 : 0;
    const at = dueAtMs(binding, status, nowMs);
    if (at === undefined) continue;
    if (at <= nowMs) due.push(status);
    else nextMs = Math.min(nextMs ?? at, at);
  }
  const projects = due
    .sort((a, b) => order(a.last_attempt_at, b.last_attempt_at))
    .slice(0, MOST_DUE)
    .map(({ project_uid }) => project_uid);
  return { projects, nextMs, enabled, failing };
}

/** All bindings, whatever their projects. */
export async function* eachBinding(reader: Reader): AsyncGenerator<BindingRow> {
  let after: Pick<BindingRow, "project_uid"> | undefined;
  for (;;) {
    const page = await reader.unfolded.list("issue_sync_binding", PAGE, after);
    yield* page;
    after = page.at(-1);
    if (after === undefined || page.length < PAGE) return;
  }
}

function order(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

/** Claims the binding of a project if a run of it is still due. */
export async function claimDue(
  store: OpStore,
  project_uid: string,
  nowMs: number,
): Promise<RunClaim | undefined> {
  return await store.write(async (tx) => {
    const project = await tx.projects.find(project_uid);
    const binding = await tx.unfolded.find("issue_sync_binding", { project_uid });
    if (binding === undefined || project === undefined || project.deleted_at !== null)
      return undefined;
    const status = await statusOf(tx, project_uid);
    const at = dueAtMs(binding, status, nowMs);
    if (at === undefined || at > nowMs) return undefined;
    return await claimRun(tx, { project, binding, status }, nowMs);
  });
}

/** Follows a repository that got another name. The next run begins where the last one ended. */
export async function followRename(
  store: OpStore,
  claim: RunClaim,
  { display_name, config: { host, owner, repo } }: RepositoryIdentity,
): Promise<void> {
  await store.write(async (tx) => {
    const { binding } = await requireClaim(tx, claim);
    const config: JsonObject = { ...binding.config, host, owner, repo };
    await tx.unfolded.put("issue_sync_binding", {
      ...binding,
      display_name,
      config,
      updated_at: tx.now,
    });
  });
}

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly comments: number;
}

/** Ends a run that read everything: the next one begins at `cursor`. */
export async function endRun(
  store: OpStore,
  claim: RunClaim,
  ended: { readonly counts: Counts; readonly cursor: Instant; readonly scanned: boolean },
): Promise<void> {
  const { counts, cursor, scanned } = ended;
  await store.write(async (tx) => {
    const { binding, status } = await requireClaim(tx, claim);
    const config: JsonObject = scanned
      ? { ...binding.config, parents_scanned_at: claim.started_at }
      : binding.config;
    await tx.unfolded.put("issue_sync_binding", { ...binding, config, last_cursor_at: cursor });
    await tx.unfolded.put("issue_sync_status", {
      ...status,
      sync_started_at: null,
      last_success_at: tx.now,
      last_error_at: null,
      last_error: null,
      last_created: counts.created,
      last_updated: counts.updated,
      last_unchanged: counts.unchanged,
      last_comments: counts.comments,
    });
  });
}

/** Ends a run that failed. Counts and cursor stay, so the next run reads again what this one may not have read. */
export async function failRun(store: OpStore, claim: RunClaim, error: string): Promise<void> {
  const { project_uid, started_at } = claim;
  await store.write(async (tx) => {
    const status = await tx.unfolded.find("issue_sync_status", { project_uid });
    // Somebody disabled the binding, or another run has it: this run must not change the status any more.
    if (status?.sync_started_at !== started_at) return;
    await tx.unfolded.put("issue_sync_status", {
      ...status,
      sync_started_at: null,
      last_error_at: tx.now,
      last_error: error,
    });
  });
}
