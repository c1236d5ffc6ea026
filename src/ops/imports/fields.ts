import { type Instant, parseInstant } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { invariant } from "../../base/invariant.ts";
import type { EventDraft } from "../../contract/events.ts";
import type { Act } from "../../domain/drafts/draft.ts";
import { issueClosed, issueCreated, issueLabeled } from "../../domain/drafts/issues.ts";
import { decideFields, decideMetadata, decidePriority, decideReopen } from "../../domain/issues.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { requireRoomForLabels } from "../guards.ts";
import { parentOf } from "../issues/close.ts";
import type { Batch, ImportItem, NewIssue } from "./batch.ts";

export interface Where {
  readonly tx: Tx;
  readonly ids: Ids;
  readonly project: StoredProject;
  readonly actor: string;
  readonly source: string;
  readonly batch: Batch;
}

export interface ImportedFields extends NewIssue {
  /** The issue before this import; absent when it is new. */
  readonly issue?: StoredIssue;
  readonly status: "created" | "updated" | "unchanged";
  /** Set if the source's fields and links were ignored, with the reason. */
  readonly kept?: "it was deleted here" | "it changed here later";
}

/** Events per call of the store, to limit the memory that they take. */
const SLICE = 500;

export async function createIssues(where: Where, items: readonly ImportItem[]): Promise<void> {
  const { tx, batch } = where;
  for (let at = 0; at < items.length; at += SLICE) {
    const drafts = items.slice(at, at + SLICE).flatMap((item) => {
      const names = batch.fresh.get(item.external_id);
      return names === undefined ? [] : [created(where, item, names)];
    });
    await tx.appendNewIssues(drafts);
  }
  for (const [externalId, { uid }] of batch.fresh) batch.imported.set(externalId, uid);
}

/** Updates an existing issue, unless it changed here after the source last changed it. */
export async function importFields(where: Where, item: ImportItem): Promise<ImportedFields> {
  const { tx, batch } = where;
  const names = batch.fresh.get(item.external_id);
  if (names !== undefined) return { ...names, status: "created" };
  const uid = batch.imported.get(item.external_id) ?? "";
  const issue = batch.known.get(uid);
  invariant(issue !== undefined, "an imported issue is there as long as its import is");
  const { short_id } = issue;
  const at = lastChange(item);
  if (issue.deleted_at !== null)
    return { uid, short_id, issue, status: "unchanged", kept: "it was deleted here" };
  if (issue.updated_at > at)
    return { uid, short_id, issue, status: "unchanged", kept: "it changed here later" };
  const drafts = await updates(where, issue, item, { actor: where.actor, now: at });
  for (const draft of drafts) await tx.append(draft);
  return { uid, short_id, issue, status: drafts.length === 0 ? "unchanged" : "updated" };
}

export async function fieldsDiffer(
  where: Where,
  issue: StoredIssue,
  item: ImportItem,
): Promise<boolean> {
  const act = { actor: where.actor, now: where.tx.now };
  return (await updates(where, issue, item, act)).length > 0;
}

/** The time of an item's last change in the source; a comment or a close may be later than its `updated_at`. */
export function lastChange({ updated_at, closed_at, comments = [] }: ImportItem): Instant {
  const times = [updated_at, closed_at, ...comments.map(({ created_at }) => created_at)];
  return times
    .flatMap((time) => (time === undefined ? [] : [instant(time)]))
    .reduce((last, time) => (time > last ? time : last));
}

function created(
  { tx, project, actor, source }: Where,
  item: ImportItem,
  names: NewIssue,
): EventDraft<"issue.created"> {
  const { title, body, author, owner, priority, status, metadata, labels, external_id } = item;
  const closed = status === "closed";
  const issue = {
    ...{ ...names, title, body, author, owner, priority, status, metadata, labels },
    ...(closed ? { closed_reason: item.closed_reason ?? "done", closed_at: closedAt(item) } : {}),
    project_uid: project.uid,
    created_at: instant(item.created_at),
    updated_at: lastChange(item),
    ...{ source, external_id },
  };
  return issueCreated(issue, { actor, now: tx.now });
}

async function updates(
  { tx, batch }: Where,
  issue: StoredIssue,
  item: ImportItem,
  act: Act,
): Promise<readonly EventDraft[]> {
  const carried = new Set((batch.labels.get(issue.uid) ?? []).map(({ label }) => label));
  const added = [...new Set(item.labels ?? [])].filter((label) => !carried.has(label));
  if (added.length > 0)
    requireRoomForLabels(`external_id ${item.external_id}`, carried.size + added.length);
  const decided: readonly (EventDraft | "unchanged")[] = [
    decideMetadata(issue, item.metadata ?? {}, act),
    decideFields(issue, { title: item.title, body: item.body ?? "", owner: item.owner ?? "" }, act),
    decidePriority(issue, item.priority ?? null, act),
    ...added.map((label) => issueLabeled(issue, label, act)),
    item.status === "open" ? decideReopen(issue, act) : await closing(tx, issue, item, act),
  ];
  return decided.filter((draft) => draft !== "unchanged");
}

async function closing(
  tx: Tx,
  issue: StoredIssue,
  item: ImportItem,
  act: Act,
): Promise<EventDraft<"issue.closed"> | "unchanged"> {
  if (issue.status === "closed") return "unchanged";
  const reason = item.closed_reason ?? "done";
  const parent = await parentOf(tx, issue);
  return issueClosed(issue, { reason, closed_at: closedAt(item), parent }, act);
}

function closedAt(item: ImportItem): Instant {
  return instant(item.closed_at ?? item.updated_at);
}

export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  invariant(parsed !== undefined, "an import's times were checked by its schema");
  return parsed;
}
