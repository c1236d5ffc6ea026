import type {
  Change,
  IssueRow,
  LabelRow,
  LinkRow,
  ProjectRow,
  RecurrenceRow,
} from "../../domain/state.ts";
import type { Connection } from "../connection.ts";
import { attachLabel, attachLink } from "../load/attached.ts";
import { load } from "../load/load.ts";
import { loadIssues } from "../load/load-rows.ts";
import { keyOf, type Loaded } from "../load/loaded.ts";
import { statement } from "../rows/statement.ts";
import type { FoldContext } from "./context.ts";
import { ownDerived, recomputeReadyFrom } from "./derive.ts";
import type { Effect } from "./effect.ts";

export function noEffect(): Effect {
  return { issues: new Map(), links: new Map(), labels: new Map(), projects: [], rest: [] };
}

/**
 * Adds the changes of one or more events to the effect. Each row of the effect keeps its value from before the first
 * event. `loaded` gets the new rows at once, so that the next event can be folded.
 */
export async function collectChanges(
  { connection, loaded, timezone }: FoldContext,
  changes: readonly Change[],
  effect: Effect,
): Promise<void> {
  for (const change of changes) {
    if (change.table === "issue" && "put" in change) {
      const { recurrence_uid } = change.put;
      const zone =
        recurrence_uid === null
          ? undefined
          : await zoneOfSeries(connection, loaded, recurrence_uid);
      collectIssue(loaded, effect, change.put, zone ?? timezone);
    } else if (change.table === "recurrence" && "put" in change)
      await collectRecurrence(connection, loaded, effect, change.put);
    else if (change.table === "link") await collectLink(connection, loaded, effect, change);
    else if (change.table === "label") {
      const { issue_uid, label } = "put" in change ? change.put : change.remove;
      if (!isMade(effect, issue_uid) && !loaded.labels.has(keyOf(issue_uid, label)))
        await load(connection, loaded, { labels: [[issue_uid, label]] });
      collectLabel(loaded, effect, change);
    } else if (change.table === "project" && "put" in change)
      collectProject(loaded, effect, change.put);
    else collectRest(loaded, effect, change);
  }
}

function collectIssue(loaded: Loaded, effect: Effect, row: IssueRow, timezone: string): void {
  const current = loaded.issues.get(row.uid);
  const known = effect.issues.get(row.uid);
  const after = { row, derived: ownDerived(current, row, timezone) };
  effect.issues.set(row.uid, { before: known === undefined ? current : known.before, after });
  loaded.issues.set(row.uid, after);
}

/**
 * Returns the zone of a series. Planning dates of its issues that have no zone of their own are in this zone
 * (docs/contract/cron-and-inbox.md#11-planning-dates).
 */
async function zoneOfSeries(
  connection: Connection,
  loaded: Loaded,
  recurrence_uid: string,
): Promise<string | undefined> {
  await load(connection, loaded, { rows: { recurrence: [recurrence_uid] } });
  return loaded.recurrence(recurrence_uid)?.timezone;
}

async function collectRecurrence(
  connection: Connection,
  loaded: Loaded,
  effect: Effect,
  after: RecurrenceRow,
): Promise<void> {
  const before = loaded.recurrence(after.uid);
  collectRest(loaded, effect, { table: "recurrence", put: after });
  if (before === undefined || before.timezone === after.timezone) return;
  const uids = (await issuesOfSeries.all(connection, { uid: after.uid })).map(({ uid }) => uid);
  await loadIssues(connection, loaded, uids);
  for (const uid of uids) recomputeReadyFrom(loaded, effect, uid, after.timezone);
}

const issuesOfSeries = statement((db, p: { uid: string }) =>
  db.selectFrom("issue").select("uid").where("recurrence_uid", "=", p.uid),
);

async function collectLink(
  connection: Connection,
  loaded: Loaded,
  effect: Effect,
  change: Extract<Change, { table: "link" }>,
): Promise<void> {
  const link = "put" in change ? change.put : change.remove;
  const key = keyOf(link.from_uid, link.type, link.to_uid);
  const isNew = isMade(effect, link.from_uid) || isMade(effect, link.to_uid);
  if (!isNew && !loaded.links.has(key))
    await load(connection, loaded, { links: [[link.from_uid, link.to_uid, link.type]] });
  const known = effect.links.get(key);
  const before = known === undefined ? loaded.links.get(key) : known.before;
  const after: LinkRow | undefined = "put" in change ? change.put : undefined;
  effect.links.set(key, { ends: link, before, after });
  loaded.links.set(key, after);
  attachLink(loaded, link, after !== undefined);
  if (link.type !== "parent") return;
  if (after !== undefined) loaded.parents.set(link.from_uid, after);
  else if (loaded.parents.get(link.from_uid)?.to_uid === link.to_uid)
    loaded.parents.set(link.from_uid, undefined);
}

/**
 * Collects the addition or removal of a label. The label's row must be loaded, except for a new issue, which has none
 * yet.
 */
function collectLabel(
  loaded: Loaded,
  effect: Effect,
  change: Extract<Change, { table: "label" }>,
): void {
  const { issue_uid, label } = "put" in change ? change.put : change.remove;
  const key = keyOf(issue_uid, label);
  const known = effect.labels.get(key);
  const before = known === undefined ? loaded.labels.get(key) : known.before;
  const after: LabelRow | undefined = "put" in change ? change.put : undefined;
  effect.labels.set(key, { issue_uid, label, before, after });
  loaded.labels.set(key, after);
  attachLabel(loaded, { issue_uid, label }, after !== undefined);
}

function isMade(effect: Effect, uid: string): boolean {
  const issue = effect.issues.get(uid);
  return issue !== undefined && issue.before === undefined;
}

function collectProject(loaded: Loaded, effect: Effect, after: ProjectRow): void {
  effect.projects.push({ before: loaded.project(after.uid), after });
  loaded.note("project", after, after);
}

function collectRest(loaded: Loaded, effect: Effect, change: Change): void {
  effect.rest.push(change);
  if (change.table === "waiting_link") {
    if ("put" in change) loaded.noteWaiting(change.put, change.put);
    else loaded.noteWaiting(change.remove, undefined);
    return;
  }
  if ("put" in change) loaded.note(change.table, change.put, change.put);
  else loaded.note(change.table, change.remove, undefined);
}
