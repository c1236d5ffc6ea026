import type { IssueRow } from "../../domain/state.ts";
import { type Connection, together } from "../connection.ts";
import { loadIssues } from "../load/load-rows.ts";
import type { AttachedRows, Loaded } from "../load/loaded.ts";
import { labelsByIssue } from "../load/statements.ts";
import type { Effect } from "./effect.ts";
import { addToLabel, addToProject } from "./write-projects.ts";

/**
 * Adjusts the numbers of live issues in each project, by status and by label, to the changes of an event. Must run
 * before label rows are written, because it reads the labels from before the event.
 */
export async function writeCounts(
  connection: Connection,
  loaded: Loaded,
  effect: Effect,
): Promise<void> {
  const issues = new Sums();
  const labels = new Sums();
  const leaving: string[] = [];
  for (const [uid, { before, after }] of effect.issues) {
    count(issues, before?.row, before?.row.status, -1);
    count(issues, after.row, after.row.status, 1);
    if (before !== undefined && homeOf(before.row) !== homeOf(after.row)) leaving.push(uid);
  }
  const known = await labelsBefore(connection, loaded, effect, leaving);
  for (const uid of leaving) {
    const issue = effect.issues.get(uid);
    for (const label of known.get(uid) ?? []) {
      count(labels, issue?.before?.row, label, -1);
      count(labels, issue?.after.row, label, 1);
    }
  }
  await loadIssues(
    connection,
    loaded,
    [...effect.labels.values()].map(({ issue_uid }) => issue_uid),
  );
  for (const { issue_uid, label, before, after } of effect.labels.values()) {
    const issue = loaded.issue(issue_uid);
    if (before === undefined && after !== undefined) count(labels, issue, label, 1);
    if (before !== undefined && after === undefined) count(labels, issue, label, -1);
  }
  const ofIssues = [...issues.byProject].map(([uid, sums]) => ({
    uid,
    open: sums.get("open") ?? 0,
    closed: sums.get("closed") ?? 0,
  }));
  const ofLabels = [...labels.byProject].flatMap(([project_uid, sums]) =>
    [...sums].map(([label, by]) => ({ project_uid, label, count: by })),
  );
  await together(connection, [
    ...ofIssues
      .filter(({ open, closed }) => open !== 0 || closed !== 0)
      .map((sum) => async () => await addToProject.run(connection, sum)),
    async () =>
      await addToLabel.run(
        connection,
        ofLabels.filter((sum) => sum.count !== 0),
      ),
  ]);
}

function homeOf(row: IssueRow | undefined): string | undefined {
  return row === undefined || row.deleted_at !== null ? undefined : row.project_uid;
}

async function labelsBefore(
  connection: Connection,
  { attached }: Loaded,
  effect: Effect,
  uids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const unread = uids.filter((uid) => !attached.has(uid));
  const rows = unread.length === 0 ? [] : await labelsByIssue.all(connection, { uids: unread });
  const labels = new Map(uids.map((uid) => [uid, attachedBefore(attached.get(uid), effect, uid)]));
  for (const { issue_uid, label } of rows) labels.get(issue_uid)?.push(label);
  return labels;
}

/** Returns an issue's labels before the event: `attached` already has the event's changes, so they are reversed. */
function attachedBefore(known: AttachedRows | undefined, effect: Effect, uid: string): string[] {
  if (known === undefined) return [];
  const changed = [...effect.labels.values()].filter(({ issue_uid }) => issue_uid === uid);
  const others = [...known.labels].filter((name) => changed.every(({ label }) => label !== name));
  const removed = changed.filter(({ before }) => before !== undefined);
  return [...others, ...removed.map(({ label }) => label)];
}

class Sums {
  readonly byProject = new Map<string, Map<string, number>>();

  add(project: string, key: string, by: number): void {
    const sums = this.byProject.get(project) ?? new Map<string, number>();
    sums.set(key, (sums.get(key) ?? 0) + by);
    this.byProject.set(project, sums);
  }
}

function count(sums: Sums, row: IssueRow | undefined, key: string | undefined, by: number): void {
  const home = homeOf(row);
  if (home !== undefined && key !== undefined) sums.add(home, key, by);
}
