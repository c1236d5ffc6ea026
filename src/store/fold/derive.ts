import { readyFrom } from "../../domain/readiness.ts";
import type { IssueRow } from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { loadIssues, loadRows } from "../load/load-rows.ts";
import type { Loaded, LoadedIssue } from "../load/loaded.ts";
import { statement } from "../rows/statement.ts";
import type { Derived } from "../types/rows.ts";
import type { FoldContext } from "./context.ts";
import type { Effect, LinkEffect } from "./effect.ts";

/*
 * This file maintains the derived columns of issues while events are folded (docs/architecture/issues.md, Readiness).
 * The counts of open blockers and of children are adjusted only for the links that an event affects.
 * `propagate-held.ts` maintains `held`: an issue is held while its open parent is blocked, parked or held itself.
 * `domain/readiness.ts` computes the same values from all rows at once.
 */

const NOTHING: Derived = {
  open_blockers: 0,
  open_children: 0,
  total_children: 0,
  parked: 0,
  held: 0,
  ready_from: null,
  content_revision: 1,
};

/**
 * Computes the derived columns that depend only on the issue's own row. Dates are read in `timezone`. The other columns
 * keep their values.
 */
export function ownDerived(
  before: LoadedIssue | undefined,
  row: IssueRow,
  timezone: string,
): Derived {
  const known = before?.derived ?? NOTHING;
  const content_revision = contentRevision(before, row);
  const sameSeries = (before?.row.recurrence_uid ?? null) === row.recurrence_uid;
  if (before?.row.metadata === row.metadata && sameSeries)
    return content_revision === known.content_revision ? known : { ...known, content_revision };
  return {
    ...known,
    content_revision,
    parked: row.metadata["someday"] === true ? 1 : 0,
    ready_from: readyFrom(row, timezone),
  };
}

function contentRevision(before: LoadedIssue | undefined, { title, body }: IssueRow): number {
  if (before === undefined) return 1;
  const isSame = before.row.title === title && before.row.body === body;
  return before.derived.content_revision + (isSame ? 0 : 1);
}

export function recomputeReadyFrom(
  loaded: Loaded,
  effect: Effect,
  uid: string,
  zone: string,
): void {
  const row = loaded.issue(uid);
  if (row === undefined) return;
  const ready_from = readyFrom(row, zone);
  change(loaded, effect, uid, (derived) =>
    derived.ready_from === ready_from ? derived : { ...derived, ready_from },
  );
}

/**
 * Updates the counts of open blockers and of children, and `held` of children whose parent link changed. Must run
 * before rows are written, because it reads the links as they were before the event.
 */
export async function deriveColumns(context: FoldContext, effect: Effect): Promise<void> {
  const { connection, loaded } = context;
  const counted = await countedLinks(connection, loaded, effect);
  await loadIssues(
    connection,
    loaded,
    counted.flatMap(({ ends }) => [ends.from_uid, ends.to_uid]),
  );
  await loadProjectsOf(
    connection,
    loaded,
    counted.flatMap(({ ends }) => [ends.from_uid, ends.to_uid]),
  );
  for (const link of counted) moveCounts(loaded, effect, link);
  for (const { ends } of effect.links.values())
    if (ends.type === "parent") inherit(loaded, effect, ends.from_uid);
}

interface CountedLink {
  readonly ends: LinkEffect["ends"];
  readonly before: boolean;
  readonly after: boolean;
}

/**
 * Returns the blocking and parent links that may count differently after the event: changed links, and all links of
 * issues whose status or deletion changed.
 */
async function countedLinks(
  connection: Connection,
  loaded: Loaded,
  effect: Effect,
): Promise<readonly CountedLink[]> {
  const counted = new Map<string, CountedLink>();
  for (const [key, { ends, before, after }] of effect.links) {
    if (ends.type !== "related")
      counted.set(key, { ends, before: before !== undefined, after: after !== undefined });
  }
  for (const [uid, { before, after }] of effect.issues) {
    if (
      before === undefined ||
      (before.row.status === after.row.status && before.row.deleted_at === after.row.deleted_at)
    )
      continue;
    const links = loaded.attached.get(uid)?.links.values();
    for (const ends of links ?? (await countedLinksFrom.all(connection, { uid }))) {
      const key = `${ends.from_uid} ${ends.type} ${ends.to_uid}`;
      if (!counted.has(key)) counted.set(key, { ends, before: true, after: true });
    }
  }
  return [...counted.values()];
}

const countedLinksFrom = statement((db, p: { uid: string }) =>
  db
    .selectFrom("link")
    .select(["from_uid", "to_uid", "type"])
    .where("from_uid", "=", p.uid)
    .where("type", "in", ["blocks", "parent"]),
);

export async function loadProjectsOf(
  connection: Connection,
  loaded: Loaded,
  issues: readonly string[],
): Promise<void> {
  const uids = issues.flatMap((uid) => loaded.issue(uid)?.project_uid ?? []);
  await loadRows(connection, loaded, "project", [...new Set(uids)]);
}

function moveCounts(loaded: Loaded, effect: Effect, { ends, before, after }: CountedLink): void {
  const from = effect.issues.get(ends.from_uid);
  const now = loaded.issues.get(ends.from_uid);
  const old = from === undefined ? now : from.before;
  const openBy = Number(after && isOpen(loaded, now)) - Number(before && isOpen(loaded, old));
  const liveBy = Number(after && isLive(loaded, now)) - Number(before && isLive(loaded, old));
  if (openBy === 0 && liveBy === 0) return;
  change(loaded, effect, ends.to_uid, (derived) =>
    ends.type === "blocks"
      ? { ...derived, open_blockers: derived.open_blockers + openBy }
      : {
          ...derived,
          open_children: derived.open_children + openBy,
          total_children: derived.total_children + liveBy,
        },
  );
}

function inherit(loaded: Loaded, effect: Effect, child: string): void {
  const link = loaded.parentLink(child);
  const held = link !== undefined && holds(loaded, loaded.issues.get(link.to_uid)) ? 1 : 0;
  change(loaded, effect, child, (derived) =>
    derived.held === held ? derived : { ...derived, held },
  );
}

function change(
  loaded: Loaded,
  effect: Effect,
  uid: string,
  by: (derived: Derived) => Derived,
): void {
  const issue = loaded.issues.get(uid);
  if (issue === undefined) return;
  const derived = by(issue.derived);
  if (derived === issue.derived) return;
  const after = { row: issue.row, derived };
  const known = effect.issues.get(uid);
  effect.issues.set(uid, { before: known === undefined ? issue : known.before, after });
  loaded.issues.set(uid, after);
}

function isLive(loaded: Loaded, issue: LoadedIssue | undefined): boolean {
  return (
    issue !== undefined &&
    issue.row.deleted_at === null &&
    loaded.project(issue.row.project_uid)?.deleted_at === null
  );
}

function isOpen(loaded: Loaded, issue: LoadedIssue | undefined): boolean {
  return issue?.row.status === "open" && isLive(loaded, issue);
}

/** Whether the issue makes its children `held`: it is open, live, and blocked, parked or held itself. */
export function holds(loaded: Loaded, issue: LoadedIssue | undefined): boolean {
  if (issue === undefined || !isOpen(loaded, issue)) return false;
  const { open_blockers, parked, held } = issue.derived;
  return open_blockers > 0 || parked === 1 || held === 1;
}
