import type { StoredEvent } from "../../contract/events.ts";
import { type ImportedIssue, importedIssue } from "../../domain/imports/base.ts";
import { fieldsOf, linkFieldOf } from "../../domain/imports/fields.ts";
import type { Fields } from "../../domain/imports/merge.ts";
import { isParkedHere } from "../../domain/imports/parked-here.ts";
import type { LabelRow, LinkRow } from "../../domain/state.ts";
import { undoMarkOf } from "../../domain/undo/plan.ts";
import { ALL_EVENTS } from "../../store/types/events.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";

export interface KnownIssue {
  readonly issue: StoredIssue;
  readonly imported: ImportedIssue;
  /** The issue's current values, as fields that a merge compares. */
  readonly local: Fields;
  /** Whether a person parked the issue in svc, as opposed to an import. */
  readonly isParkedHere: boolean;
}

export async function readKnown(
  tx: Tx,
  source: string,
  uids: readonly string[],
): Promise<ReadonlyMap<string, KnownIssue>> {
  if (uids.length === 0) return new Map();
  const issues = await tx.issues.many(uids);
  const labels = await tx.labels.many(uids);
  const links = linksByIssue(await tx.links.touching(uids));
  const events = await eventsByIssue(tx, uids);
  return new Map(
    [...issues].map(([uid, issue]) => {
      const imported = importedIssue(uid, source, events.get(uid) ?? []);
      const local = localFields(issue, imported, labels.get(uid) ?? [], links.get(uid) ?? []);
      const isParked = issue.metadata["someday"] === true;
      const parkedHere = isParked && isParkedHere(uid, events.get(uid) ?? []);
      return [uid, { issue, imported, local, isParkedHere: parkedHere }];
    }),
  );
}

function localFields(
  issue: StoredIssue,
  { comments }: ImportedIssue,
  labels: readonly LabelRow[],
  links: readonly LinkRow[],
): Fields {
  return fieldsOf({
    ...issue,
    labels: labels.map(({ label }) => label),
    links: links.flatMap((link) => {
      const field = linkFieldOf(issue.uid, link);
      return field === undefined ? [] : [field];
    }),
    comments: [...comments].map(([id, { body }]) => [id, body]),
  });
}

function linksByIssue(links: readonly LinkRow[]): ReadonlyMap<string, readonly LinkRow[]> {
  const byIssue = new Map<string, LinkRow[]>();
  for (const link of links)
    for (const uid of [link.from_uid, link.to_uid]) push(byIssue, uid, link);
  return byIssue;
}

/**
 * Returns for each issue, in the order of the fold: its own events, the events with which another issue began to block
 * it, and the undo events that undid its own events.
 */
async function eventsByIssue(
  tx: Tx,
  uids: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const own = await tx.past.ofIssues(uids, ALL_EVENTS);
  const others = await tx.past.mentioning(uids, ALL_EVENTS);
  const wanted = new Set(uids);
  const byIssue = new Map<string, StoredEvent[]>();
  const issueOf = new Map<string, string>();
  const order = await tx.past.order(ALL_EVENTS);
  for (const event of order.sorted([...own, ...others])) {
    if (event.skipped_at !== undefined) continue;
    if (event.issue_uid !== undefined) issueOf.set(event.uid, event.issue_uid);
    // The event with which an undo removes a link may belong to the issue at the link's other end. So that event also
    // counts for the issue whose change is undone.
    const undone = (undoMarkOf(event)?.events ?? []).map((of) => issueOf.get(of));
    for (const uid of new Set([event.issue_uid, ...blockedBy(event), ...undone])) {
      if (uid !== undefined && wanted.has(uid)) push(byIssue, uid, event);
    }
  }
  return byIssue;
}

function blockedBy(event: StoredEvent): readonly string[] {
  return event.type === "issue.links_changed" ? (event.payload.blocks_added_uids ?? []) : [];
}

function push<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
