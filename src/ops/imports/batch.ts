import type { Ids } from "../../base/ids.ts";
import type { importIssues as contract } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";
import type { LabelRow } from "../../domain/state.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { freeShortIds } from "../issues/short-id.ts";

export type ImportItem = Input<typeof contract>["body"]["items"][number];

export interface NewIssue {
  readonly uid: string;
  readonly short_id: string;
}

/** Everything that all items of an import need, read with a few statements instead of several per item. */
export interface Batch {
  /** The uid of each issue that the items name, by external id; the issues that this import creates are added later. */
  readonly imported: Map<string, string>;
  /** Issues of earlier imports by uid, as they were when this import began. */
  readonly known: ReadonlyMap<string, StoredIssue>;
  readonly labels: ReadonlyMap<string, readonly LabelRow[]>;
  readonly fresh: ReadonlyMap<string, NewIssue>;
  hasComment(issueUid: string, key: string): boolean;
}

export async function readBatch(
  { tx, ids }: { readonly tx: Tx; readonly ids: Ids },
  project: StoredProject,
  { source, items }: { readonly source: string; readonly items: readonly ImportItem[] },
): Promise<Batch> {
  const named = items.flatMap(({ external_id, links = [] }) => [
    external_id,
    ...links.map(({ target_external_id }) => target_external_id),
  ]);
  const imported = new Map(await tx.marks.findImports(project.uid, source, [...new Set(named)]));
  const uids = items.flatMap(({ external_id }) => imported.get(external_id) ?? []);
  const fresh = await newIssues(
    { tx, ids },
    project,
    items.filter(({ external_id }) => !imported.has(external_id)),
  );
  const made = [...fresh.values()].map(({ uid }) => uid);
  await tx.preload({ projects: [project.uid], issues: [...uids, ...made] });
  const comments = await commentsOf(tx, source, items, imported);
  return {
    imported,
    known: await tx.issues.many(uids),
    labels: uids.length === 0 ? new Map() : await tx.labels.many(uids),
    fresh,
    hasComment: (uid, key) => comments.has(nameOf(uid, key)),
  };
}

async function newIssues(
  { tx, ids }: { readonly tx: Tx; readonly ids: Ids },
  project: StoredProject,
  items: readonly ImportItem[],
): Promise<ReadonlyMap<string, NewIssue>> {
  const uids = new Map(items.map(({ external_id }) => [external_id, ids.ulid()]));
  const shortIds = await freeShortIds(tx, [project.uid], [...uids.values()]);
  return new Map(
    [...uids].map(([external_id, uid]) => [
      external_id,
      { uid, short_id: shortIds.get(uid) ?? uid.toLowerCase() },
    ]),
  );
}

async function commentsOf(
  tx: Tx,
  source: string,
  items: readonly ImportItem[],
  imported: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const keys = items.flatMap(({ external_id, comments = [] }) => {
    const scope_uid = imported.get(external_id);
    if (scope_uid === undefined) return [];
    return comments.map((comment) => ({ scope_uid, key: commentKey(source, comment) }));
  });
  const rows = await tx.marks.idempotencyKeys("comment", keys);
  return new Set(rows.map(({ scope_uid, key }) => nameOf(scope_uid, key)));
}

/**
 * The idempotency key that identifies an imported comment. The key contains a control character, which no header can
 * contain, so no caller can use the same key.
 */
export function commentKey(source: string, comment: { readonly external_id: string }): string {
  return `${source}\u0001${comment.external_id}`;
}

function nameOf(uid: string, key: string): string {
  return `${uid} ${key}`;
}
