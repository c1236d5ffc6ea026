import { canonicalJson, type JsonObject } from "../../base/json.ts";
import type { EventDraft, EventKind } from "../../contract/events.ts";
import {
  type By,
  issueSnapshot,
  jobSnapshot,
  type LastObservation,
  runSnapshot,
  type WholeIssue,
  workflowSnapshot,
} from "../drafts/snapshots.ts";
import type { CronDefinitionRow, CronRunRow } from "../state.ts";

/** A kind of event that follows `project.federation_enabled` in a baseline. */
export type SnapshotKind = Extract<EventKind, `${string}.snapshot`>;

/**
 * A snapshot, ready to be written to the log. A baseline may have 100,000 snapshots in memory at once. So the payload
 * is JSON text, which takes less memory than objects.
 */
export interface Snapshot {
  readonly type: SnapshotKind;
  readonly issue_uid?: string;
  /** The uid of the job, workflow or run. */
  readonly row_uid?: string;
  /** Canonical JSON. */
  readonly payload: string;
  /** The uids of the other issues that the snapshot names. */
  readonly names: readonly string[];
}

export function snapshotOfIssue(whole: WholeIssue, by: By): Snapshot {
  const names = new Set(whole.links.map(({ to_uid }) => to_uid));
  return {
    ...snapshotOf(issueSnapshot(inOrder(whole), by)),
    issue_uid: whole.issue.uid,
    names: [...names],
  };
}

/**
 * The snapshot does not contain the progress of a native job: the progress is in the metadata of the job's parent and
 * children, and so in the snapshots of these issues.
 */
export function snapshotOfJob(row: CronDefinitionRow, by: By): Snapshot {
  return { ...snapshotOf(jobSnapshot(row, by)), row_uid: row.uid };
}

export function snapshotOfWorkflow(row: CronDefinitionRow, by: By): Snapshot {
  return { ...snapshotOf(workflowSnapshot(row, by)), row_uid: row.uid };
}

export function snapshotOfRun(run: CronRunRow, last: LastObservation, by: By): Snapshot {
  return { ...snapshotOf(runSnapshot(run, last, by)), row_uid: run.uid };
}

function snapshotOf({ type, payload }: EventDraft<SnapshotKind>): Snapshot {
  return { type, payload: canonicalJson(payload as unknown as JsonObject), names: [] };
}

/** Sorts what belongs to the issue, so that equal rows give equal snapshots on every database. */
function inOrder(whole: WholeIssue): WholeIssue {
  const { labels, links, comments, imports } = whole;
  return {
    issue: whole.issue,
    labels: sorted(labels, ({ label }) => label),
    links: sorted(links, ({ type, to_uid }) => `${type} ${to_uid}`),
    comments: sorted(comments, ({ created_at, uid }) => `${created_at} ${uid}`),
    imports: sorted(imports, ({ source, external_id }) => `${source}\n${external_id}`),
    root: whole.root,
  };
}

function sorted<T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
  return rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

/** Returns the observation whose event has the later clock. If the clocks are equal, the greater event uid decides. */
export function laterObservation(
  known: LastObservation | undefined,
  other: LastObservation,
): LastObservation {
  return known !== undefined && placeOf(known) > placeOf(other) ? known : other;
}

function placeOf({ observation_event_uid: uid, observation_hlc: clock }: LastObservation): string {
  const digits = (value: number): string => String(value).padStart(16, "0");
  return `${digits(clock.physical_ms)} ${digits(clock.counter)} ${uid}`;
}
