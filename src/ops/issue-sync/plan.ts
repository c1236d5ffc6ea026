import type { JsonValue } from "../../base/json.ts";
import type { KnownComments } from "../../domain/imports/comments.ts";
import { fieldsOf, isOf, linkField } from "../../domain/imports/fields.ts";
import type { Fields } from "../../domain/imports/merge.ts";
import { recognizeComments } from "../../domain/imports/recognize-comments.ts";
import { mergeOwned } from "../../domain/issue-sync/merge.ts";
import type { RemoteLink, RemoteParent } from "../../domain/issue-sync/remote-issue.ts";
import type { SyncComment, SyncItem } from "../../domain/issue-sync/sync-item.ts";
import type { Batch, ImportItem } from "../imports/batch.ts";
import { type ImportContext, lastChange } from "../imports/fields.ts";
import type { KnownIssue } from "../imports/known.ts";
import { type MergePlan, missingEnd } from "../imports/plan-merge.ts";

/** The ids under which the parent may be known. */
export function wantedParent(parent: RemoteParent): readonly string[] {
  return parent.kind === "issue" ? parent.keys : [];
}

/** The item as an import writes it. Its links are left out, since the other end may be an issue of the same chunk. */
export function importItemOf(item: SyncItem, known: KnownIssue | undefined): ImportItem {
  const { number: _, parent: _parent, labels, comments, other_external_ids, ...fields } = item;
  return {
    ...fields,
    labels: [...labels],
    other_external_ids,
    comments: [...namedComments(comments, known?.imported.comments ?? new Map())],
  };
}

/**
 * Returns the comments with the names that svc has stored for them. A comment is recognized by its lasting id or, if it
 * came from a file, by author, time and text.
 */
function namedComments(
  comments: readonly SyncComment[],
  known: KnownComments,
): readonly SyncComment[] {
  const others = new Map(
    [...known].filter(([name]) => !comments.some((one) => one.external_id === name)),
  );
  if (others.size === 0) return comments;
  const isNew = (comment: SyncComment) => !known.has(comment.external_id);
  const recognized = recognizeComments(others, comments.filter(isNew));
  return [...comments.filter((comment) => !isNew(comment)), ...recognized];
}

/** The link to the parent that the host names; `undefined` if the host did not say whether there is one. */
export function linksTo(parent: RemoteParent, { imported }: Batch): ImportItem["links"] {
  if (parent.kind === "unknown") return undefined;
  if (parent.kind === "none") return [];
  const target = parent.keys.find((key) => imported.has(key)) ?? parent.keys[0];
  return [{ type: "parent", target_external_id: target }];
}

/** Plans how an issue that was read before gets the fields that the host owns. */
export function syncPlan({ batch }: ImportContext, known: KnownIssue, synced: SyncItem): MergePlan {
  const { imported, local, issue } = known;
  const links = linksTo(synced.parent, batch);
  const item = { ...importItemOf(synced, known), ...(links === undefined ? {} : { links }) };
  const nothing = { item, known, restores: false, changes: new Map(), conflicts: [], missing: [] };
  const changed = lastChange(item);
  if (changed < imported.updated_at) return { ...nothing, base: imported.base };
  const parent = parentFields(item, imported.base, batch);
  const upstream = new Map([...ownFields(item, imported.base), ...parent.fields]);
  const isNewer = changed > imported.updated_at;
  const merge = mergeOwned({ base: imported.base, local, upstream, isNewer });
  const restores = issue.deleted_at !== null;
  return {
    ...nothing,
    restores,
    changes: merge.changes,
    base: merge.base,
    missing: parent.missing,
  };
}

/** Plans the change of the parent alone, for an issue that was not read in this run. */
export function linkPlan({ batch }: ImportContext, known: KnownIssue, link: RemoteLink): MergePlan {
  const { issue, imported, local } = known;
  const links = linksTo(link.parent, batch);
  const item: ImportItem = {
    external_id: link.keys[0],
    title: issue.title,
    author: issue.author,
    status: issue.status,
    created_at: issue.created_at,
    updated_at: imported.updated_at,
    ...(links === undefined ? {} : { links }),
  };
  const parent = parentFields(item, imported.base, batch);
  const rest = [...imported.base].filter(([field]) => field !== "parent");
  const upstream = new Map([...rest, ...parent.fields]);
  // Only the parent is merged here, so leave out local edits of other fields.
  const here = new Map([...rest, ...[...local].filter(([field]) => field === "parent")]);
  const merge = mergeOwned({ base: imported.base, local: here, upstream, isNewer: false });
  const { changes, base } = merge;
  return { item, known, restores: false, changes, conflicts: [], base, missing: parent.missing };
}

/** Returns the fields of the issue: those that the host owns from the item, and all others from the last run. */
function ownFields(item: ImportItem, base: Fields): Fields {
  const { title, body = "", owner = null, status, comments = [] } = item;
  const isClosed = status === "closed";
  const stated = fieldsOf({
    title,
    body,
    priority: null,
    status,
    links: [],
    labels: item.labels ?? [],
    owner,
    closed_reason: isClosed ? (item.closed_reason ?? "done") : null,
    closed_at: isClosed ? (item.closed_at ?? item.updated_at) : null,
    metadata: {},
    comments: comments.map(({ external_id, body: text }) => [external_id, text]),
  });
  return new Map([...stated, ...[...base].filter(([field]) => isLeftAlone(field))]);
}

function isLeftAlone(field: string): boolean {
  if (field === "priority" || isOf("metadata", field) || isOf("comments", field)) return true;
  return isOf("links", field) && field !== "parent";
}

/**
 * Returns the parent that the host names. If that issue is not here yet, the present parent stays, and the new link
 * waits.
 */
function parentFields(
  { external_id, links }: ImportItem,
  base: Fields,
  { imported }: Batch,
): { readonly fields: Fields; readonly missing: MergePlan["missing"] } {
  const was = base.get("parent");
  const kept = new Map<string, JsonValue>(was === undefined ? [] : [["parent", was]]);
  if (links === undefined) return { fields: kept, missing: [] };
  const [link] = links;
  if (link === undefined) return { fields: new Map(), missing: [] };
  const target = imported.get(link.target_external_id);
  if (target === undefined) return { fields: kept, missing: [missingEnd(external_id, link)] };
  return { fields: new Map([linkField("parent", target)]), missing: [] };
}
