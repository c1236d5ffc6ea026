import { type Instant, parseInstant } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { invariant } from "../../base/invariant.ts";
import type { EventDraft } from "../../contract/events.ts";
import { issueCreated } from "../../domain/drafts/issues.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Batch, ImportItem, NewIssue } from "./batch.ts";

export interface ImportContext {
  readonly tx: Tx;
  readonly ids: Ids;
  readonly project: StoredProject;
  readonly actor: string;
  readonly instanceUid: string;
  readonly source: string;
  /** The uid of the import that the request belongs to. All events of the import carry it. */
  readonly batch_uid: string;
  readonly batch: Batch;
}

/** Events per call of the store, to limit the memory that they take. */
const SLICE = 500;

export async function createIssues(
  context: ImportContext,
  items: readonly ImportItem[],
): Promise<void> {
  const { tx, batch } = context;
  for (let at = 0; at < items.length; at += SLICE) {
    const drafts = items.slice(at, at + SLICE).flatMap((item) => {
      const names = batch.fresh.get(item.external_id);
      return names === undefined ? [] : [created(context, item, names)];
    });
    await tx.appendNewIssues(drafts);
  }
  for (const [externalId, { uid }] of batch.fresh) batch.imported.set(externalId, uid);
}

/** The time of an item's last change in the source; a comment or a close may be later than its `updated_at`. */
export function lastChange({ updated_at, closed_at, comments = [] }: ImportItem): Instant {
  let last = instant(updated_at);
  for (const time of [closed_at, ...comments.map(({ created_at }) => created_at)]) {
    const other = time === undefined ? last : instant(time);
    if (other > last) last = other;
  }
  return last;
}

function created(
  { tx, project, actor, source, batch_uid }: ImportContext,
  item: ImportItem,
  names: NewIssue,
): EventDraft<"issue.created"> {
  const { title, body, author, owner, priority, status, metadata, labels, external_id } = item;
  const closed = status === "closed";
  const issue = {
    ...names,
    title,
    body,
    author,
    owner,
    priority,
    status,
    metadata,
    labels,
    ...(closed ? { closed_reason: item.closed_reason ?? "done", closed_at: closedAt(item) } : {}),
    project_uid: project.uid,
    created_at: instant(item.created_at),
    updated_at: lastChange(item),
    source,
    external_id,
    ...(item.other_external_ids === undefined
      ? {}
      : { other_external_ids: item.other_external_ids }),
  };
  return issueCreated(issue, { actor, now: tx.now, import: batch_uid });
}

export function closedAt(item: ImportItem): Instant {
  return instant(item.closed_at ?? item.updated_at);
}

export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  invariant(parsed !== undefined, "an import's times were checked by its schema");
  return parsed;
}
