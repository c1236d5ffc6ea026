import { type Instant, instantToMs, msToInstant } from "../../base/clock.ts";
import type { Row } from "../tables/tables.ts";

export type BindingRow = Row<"issue_sync_binding">;
export type StatusRow = Row<"issue_sync_status">;

/**
 * A claim that is older than this belongs to a run that was killed. So does a claim that lies at least this far in the
 * future: it was made before the clock was set back.
 */
const STALE_MS = 30 * 60_000; // docs/contract/issue-sync.md#4-runs

/**
 * A run asks for the changes since the start of the last successful run, minus this time, because the host may show a
 * change a little late.
 */
const OVERLAP_MS = 2 * 60_000; // docs/contract/issue-sync.md#4-runs

/** A run asks for all parents again if the last time was at least this long ago. */
const PARENTS_MS = 24 * 3_600_000;

/** The status of a binding that never ran. */
export function newStatus(project_uid: string): StatusRow {
  return {
    project_uid,
    sync_started_at: null,
    last_attempt_at: null,
    last_success_at: null,
    last_error_at: null,
    last_error: null,
    last_created: 0,
    last_updated: 0,
    last_unchanged: 0,
    last_comments: 0,
  };
}

/** Whether a run of the binding is under way. */
export function isClaimed({ sync_started_at }: StatusRow, nowMs: number): boolean {
  return sync_started_at !== null && Math.abs(nowMs - instantToMs(sync_started_at)) < STALE_MS;
}

/**
 * Returns when the next run is due, in ms; `undefined` while the binding is disabled or a run is under way. If the last
 * attempt is in the future, because the clock was set back since, a run is due at once.
 */
export function dueAtMs(
  { enabled, interval_seconds }: BindingRow,
  status: StatusRow,
  nowMs: number,
): number | undefined {
  if (enabled !== 1 || isClaimed(status, nowMs)) return undefined;
  if (status.last_attempt_at === null) return nowMs;
  const attempt = instantToMs(status.last_attempt_at);
  return attempt > nowMs ? nowMs : attempt + interval_seconds * 1000;
}

/** The time since which a run asks for changes; `undefined` if it asks for all of them. */
export function sinceOf({ last_cursor_at }: BindingRow): Instant | undefined {
  return last_cursor_at === null
    ? undefined
    : msToInstant(instantToMs(last_cursor_at) - OVERLAP_MS);
}

/** What the column `config` of a binding contains. */
export interface StoredConfig {
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  readonly repo_id: string;
  readonly title_prefix: boolean;
  /** When a run last asked for all parents. */
  readonly parents_scanned_at?: Instant;
}

export function configOf({ config }: BindingRow): StoredConfig {
  return config as unknown as StoredConfig;
}

/**
 * Whether a run asks for the parent of every issue, which costs a request for each 100 issues. This is so for the first
 * run, for one run a day, and for a run that is told to (`isAsked`).
 */
export function scansParents(binding: BindingRow, nowMs: number, isAsked: boolean): boolean {
  const { parents_scanned_at: last } = configOf(binding);
  if (isAsked || last === undefined || binding.last_cursor_at === null) return true;
  const age = nowMs - instantToMs(last);
  return age < 0 || age >= PARENTS_MS;
}
