import { msToInstant } from "../../base/clock.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import { PROVIDER_NAMES, type ProviderName } from "../../domain/issue-sync/providers.ts";
import {
  type BindingRow,
  configOf,
  dueAtMs,
  isClaimed,
  newStatus,
  type StatusRow,
} from "../../domain/issue-sync/run.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";

/** Parses the name of a provider in a path; throws if svc does not support the provider. */
export function requireProvider(text: string): ProviderName {
  const name = text.trim().toLowerCase();
  const known = PROVIDER_NAMES.find((provider) => provider === name);
  if (known !== undefined) return known;
  throw invalidField("provider", `must be ${PROVIDER_NAMES.join(" or ")}`);
}

export interface BoundProject {
  readonly project: StoredProject;
  readonly binding: BindingRow;
  readonly status: StatusRow;
}

/** The binding of the project to a repository of the provider. */
export async function findBound(
  reader: Reader,
  project: StoredProject,
  provider: string,
): Promise<BoundProject | undefined> {
  const binding = await reader.unfolded.find("issue_sync_binding", { project_uid: project.uid });
  if (binding?.provider !== provider) return undefined;
  return { project, binding, status: await statusOf(reader, project.uid) };
}

export async function statusOf(reader: Reader, project_uid: string): Promise<StatusRow> {
  const status = await reader.unfolded.find("issue_sync_status", { project_uid });
  return status ?? newStatus(project_uid);
}

/** The claim of a run: the project, and the start of the run, by which the run recognizes its claim. */
export interface RunClaim {
  readonly project_uid: string;
  readonly started_at: string;
}

/**
 * Returns the binding if the run may go on. Throws if the binding was disabled or changed, if the project was archived,
 * and if another run has taken the binding over (docs/contract/issue-sync.md#4-runs).
 */
export async function requireClaim(
  tx: Tx,
  { project_uid, started_at }: RunClaim,
): Promise<Omit<BoundProject, "project"> & { readonly project: StoredProject }> {
  const project = await tx.projects.find(project_uid);
  const binding = await tx.unfolded.find("issue_sync_binding", { project_uid });
  const status = await statusOf(tx, project_uid);
  if (binding === undefined || project === undefined || project.deleted_at !== null)
    throw new SvcError("issue_sync_binding_changed", { project_uid });
  if (binding.enabled !== 1) throw new SvcError("issue_sync_binding_changed", { project_uid });
  if (status.sync_started_at !== started_at) {
    const code =
      status.sync_started_at === null ? "issue_sync_binding_changed" : "issue_sync_already_running";
    throw new SvcError(code, { project_uid });
  }
  return { project, binding, status };
}

/** The binding as an answer shows it: without what svc stores for itself. */
export function bindingOut({ project, binding }: Pick<BoundProject, "project" | "binding">) {
  const { provider, source_key, remote_id, display_name, interval_seconds } = binding;
  const { host, owner, repo, title_prefix } = configOf(binding);
  return {
    id: project.id,
    project_id: project.id,
    provider,
    source_key,
    remote_id,
    display_name,
    config: { host, owner, repo, title_prefix },
    enabled: binding.enabled === 1,
    interval_seconds,
    ...(binding.last_cursor_at === null ? {} : { last_cursor_at: binding.last_cursor_at }),
    created_at: binding.created_at,
    updated_at: binding.updated_at,
  };
}

export function statusOut({ project, binding, status }: BoundProject, nowMs: number) {
  const { sync_started_at, last_created, last_updated, last_unchanged, last_comments } = status;
  const due = dueAtMs(binding, status, nowMs);
  return {
    binding_id: project.id,
    project_id: project.id,
    provider: binding.provider,
    enabled: binding.enabled === 1,
    state: stateOf(binding, status, nowMs),
    ...present({ sync_started_at }),
    ...present({
      last_attempt_at: status.last_attempt_at,
      last_success_at: status.last_success_at,
      last_error_at: status.last_error_at,
      last_error: status.last_error,
    }),
    last_created,
    last_updated,
    last_unchanged,
    last_comments,
    ...(due === undefined ? {} : { next_attempt_at: msToInstant(Math.max(due, nowMs)) }),
  };
}

/** The status of a project that is not bound to a repository of the provider. */
export function notEnabled({ id }: StoredProject, provider: string) {
  const none = { last_created: 0, last_updated: 0, last_unchanged: 0, last_comments: 0 };
  const state = "not_enabled" as const;
  return { binding_id: 0, project_id: id, provider, enabled: false, state, ...none };
}

function stateOf({ enabled }: BindingRow, status: StatusRow, nowMs: number) {
  if (enabled !== 1) return "disabled" as const;
  return isClaimed(status, nowMs) ? ("running" as const) : ("enabled" as const);
}

function present<T extends Readonly<Record<string, string | null>>>(
  fields: T,
): { readonly [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    readonly [K in keyof T]?: string;
  };
}
