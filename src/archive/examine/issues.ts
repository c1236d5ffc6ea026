import { yieldToLoop } from "../../base/yield-to-loop.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { type Difference, differenceOf } from "../../domain/compare-rows.ts";
import type { Groups } from "../../domain/maps.ts";
import { derivedOf } from "../../domain/readiness.ts";
import type { ProjectRow } from "../../domain/state.ts";
import type { FoldedTable, Rows } from "../../domain/tables/tables.ts";
import { existingIssues, missingStarts } from "../../store/load/statements.ts";
import {
  issuesAfter,
  lastEventNaming,
  type Verified,
  verifiedBefore,
} from "../../store/refold/checkpoint.ts";
import { issueDigests } from "../../store/refold/digests.ts";
import { isOfAllIssues, wideEvents } from "../../store/refold/events.ts";
import { derivedRows, graphAround } from "../../store/refold/issue-graph.ts";
import { OWNER_COLUMNS } from "../../store/refold/issue-tables.ts";
import { refold } from "../../store/refold/refold.ts";
import type { Examination } from "./examination.ts";

/** How many issues are folded together. */
const ISSUES_PER_READ = 200;

export interface IssuesReport {
  readonly rows: number;
  /** How many issues were not folded again, because nothing has changed since they were verified. */
  readonly unchanged: number;
  readonly fold?: Difference;
  readonly derived?: Difference;
}

/**
 * Folds the issues, some at a time, and compares their rows with the tables. An issue that was verified before is not
 * folded again while the digest of its rows is the same and no later event is about it. The derived columns of all
 * issues are compared.
 */
export async function examineIssues(examination: Examination, keys: Groups): Promise<IssuesReport> {
  const { snapshot, trusts, keep, step } = examination;
  const { connection, head } = snapshot;
  const wide = await wideEvents(connection);
  const lastWide = Math.max(0, ...wide.filter(isOfAllIssues).map(({ id }) => id));
  const projects = await projectsOf(examination);
  const met = new Map<FoldedTable, number>();
  let [rows, unchanged] = [0, 0];
  let derived: Difference | undefined;
  const report = (fold?: Difference): IssuesReport => ({
    rows,
    unchanged,
    ...(fold === undefined ? {} : { fold }),
    ...(fold !== undefined || derived === undefined ? {} : { derived }),
  });
  for (let after = ""; ; ) {
    const uids = await issuesAfter(connection, after, ISSUES_PER_READ);
    after = uids.at(-1) ?? after;
    const now = await issueDigests(connection, uids, examination.seed, (uid) => keys.of(uid));
    for (const [table, count] of now.rows) {
      met.set(table, (met.get(table) ?? 0) + count);
      rows += count;
      step(count);
    }
    const known = trusts ? await verifiedBefore(connection, uids) : new Map<string, Verified>();
    const last = trusts ? await lastEventNaming(connection, uids) : new Map<string, number>();
    const isUnchanged = (uid: string): boolean => {
      const before = known.get(uid);
      if (before === undefined || before.digest !== now.byIssue.get(uid)) return false;
      return Math.max(last.get(uid) ?? 0, lastWide) <= before.event_id;
    };
    const changed = uids.filter((uid) => !isUnchanged(uid));
    unchanged += uids.length - changed.length;
    const fold = await foldDifference(examination, changed, wide);
    if (fold !== undefined) return report(fold);
    derived ??= await derivedDifference(examination, uids, projects);
    const verified = changed.map((subject) => ({
      subject,
      digest: now.byIssue.get(subject) ?? "",
      event_id: head.last_event_id,
    }));
    if (verified.length > 0) await keep?.(verified);
    if (uids.length < ISSUES_PER_READ) break;
    await yieldToLoop();
  }
  const waiting = await foldDifference(examination, await missingStarts(connection), wide);
  return report(waiting ?? (await rowWithoutIssue(examination, met)));
}

async function foldDifference(
  { snapshot: { connection } }: Examination,
  uids: readonly string[],
  wide: readonly StoredEvent[],
): Promise<Difference | undefined> {
  if (uids.length === 0) return undefined;
  for (const pair of await refold(connection, uids, wide)) {
    const difference = differenceOf(pair);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

async function derivedDifference(
  { snapshot: { connection, timezone } }: Examination,
  uids: readonly string[],
  projects: readonly ProjectRow[],
): Promise<Difference | undefined> {
  const state = await graphAround(connection, uids, projects);
  for (const { issue, stored } of await derivedRows(connection, uids)) {
    const expected = derivedOf(state, issue, timezone);
    for (const column of Object.keys(expected) as (keyof typeof expected)[]) {
      const folded = expected[column];
      if (folded === stored[column]) continue;
      return {
        ...{ table: "issue", key: { uid: issue.uid }, column },
        ...{ folded, stored: stored[column] },
      };
    }
  }
  return undefined;
}

async function projectsOf({ snapshot }: Examination): Promise<readonly ProjectRow[]> {
  const projects: ProjectRow[] = [];
  for await (const project of snapshot.rows("project")) projects.push(project);
  return projects;
}

/**
 * Finds a stored row whose issue does not exist. `met` has the number of rows that were found for existing issues. A
 * table that has no more rows than this is skipped.
 */
async function rowWithoutIssue(
  { snapshot }: Examination,
  met: ReadonlyMap<FoldedTable, number>,
): Promise<Difference | undefined> {
  for (const [table, owner] of OWNER_COLUMNS) {
    // A link may wait for the issue from which it starts (`missingStarts`).
    if (table === "waiting_link") continue;
    if ((await snapshot.count([table])) === (met.get(table) ?? 0)) continue;
    for await (const row of snapshot.rows(table)) {
      const uid = String(new Map<string, unknown>(Object.entries(row)).get(owner));
      if ((await existingIssues(snapshot.connection, [uid])).has(uid)) continue;
      const stored = row as unknown as Rows[typeof table];
      return differenceOf({ table, folded: undefined, stored });
    }
  }
  return undefined;
}
