import { addTo } from "../../base/lists.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { LinkEnds } from "../../domain/state.ts";
import type { Bridges, OwningRoot } from "../../store/types/bridges.ts";
import type { IssuePeer, Issues, Labels, Links } from "../../store/types/issues.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Marks, SyncedIssue } from "../../store/types/store.ts";
import { rootOut } from "./root.ts";
import { syncedOut } from "./synced.ts";

/**
 * The fields that every form of an issue shows; absent ones are left out (docs/contract/http-api.md#30-shared-objects).
 */
export function issueCore(issue: StoredIssue) {
  return {
    id: issue.id,
    uid: issue.uid,
    project_id: issue.project_id,
    project_uid: issue.project_uid,
    short_id: issue.short_id,
    qualified_id: qualifiedId(issue.project_name, issue.short_id),
    title: issue.title,
    body: issue.body,
    status: issue.status,
    ...(issue.closed_reason === null ? {} : { closed_reason: issue.closed_reason }),
    ...(issue.owner === null ? {} : { owner: issue.owner }),
    ...(issue.priority === null ? {} : { priority: issue.priority }),
    author: issue.author,
    metadata: issue.metadata,
    revision: issue.revision,
    ...(issue.recurrence_id === null ? {} : { recurrence_id: issue.recurrence_id }),
    ...(issue.recurrence_uid === null ? {} : { recurrence_uid: issue.recurrence_uid }),
    ...(issue.occurrence_key === null ? {} : { occurrence_key: issue.occurrence_key }),
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    ...(issue.closed_at === null ? {} : { closed_at: issue.closed_at }),
    ...(issue.deleted_at === null ? {} : { deleted_at: issue.deleted_at }),
  };
}

type NamedIssue = Pick<StoredIssue, "uid" | "short_id" | "project_name">;

/** The other end of a link (docs/contract/http-api.md#30-shared-objects). */
export function linkPeer({ uid, short_id, project_name }: NamedIssue) {
  return {
    uid,
    short_id,
    project: project_name,
    qualified_id: qualifiedId(project_name, short_id),
  };
}

type LinkPeer = ReturnType<typeof linkPeer>;

/** Reads what belongs to an issue: from the current tables, or from a view of the past. */
export interface IssueRelations {
  readonly issues: Pick<Issues, "peers">;
  readonly labels: Pick<Labels, "many">;
  readonly links: Pick<Links, "endsTouching">;
  /** Absent for the past, because past bindings to a code host are not known. */
  readonly marks?: Pick<Marks, "syncedIssues">;
  /** Absent for the past, like `marks`. */
  readonly bridges?: Pick<Bridges, "owners">;
}

/** Related rows of the issues of a page, loaded with one statement per relation. */
interface RelatedRows {
  readonly labels: (uid: string) => readonly string[];
  readonly links: (uid: string) => readonly LinkEnds[];
  readonly peer: (uid: string) => IssuePeer | undefined;
  readonly synced: (uid: string) => SyncedIssue | undefined;
  readonly root: (uid: string) => OwningRoot | undefined;
}

/**
 * Issues with their relations, in the given order. Links to issues that are deleted or in archived projects are left
 * out.
 */
export async function issuesOut(reader: IssueRelations, issues: readonly StoredIssue[]) {
  if (issues.length === 0) return [];
  const around = await loadAround(reader, issues);
  return issues.map((issue) => issueWithLinks(issue, around));
}

/** Issues with their relations, for lists across projects. Each row names its project. */
export async function globalIssuesOut(reader: IssueRelations, issues: readonly StoredIssue[]) {
  const shown = await issuesOut(reader, issues);
  return shown.map((row, at) => ({ ...row, project_name: issues[at]?.project_name ?? "" }));
}

/** An issue, as answers contain it. */
export async function issueOut(reader: IssueRelations, issue: StoredIssue) {
  const around = await loadAround(reader, [issue]);
  return issueWithLinks(issue, around);
}

/** A new issue without links. Nothing needs to be loaded for it. */
export function newIssueOut(issue: StoredIssue, labels: readonly string[]) {
  return issueWithLinks(issue, {
    labels: () => labels,
    links: () => [],
    peer: () => undefined,
    synced: () => undefined,
    root: () => undefined,
  });
}

async function loadAround(
  reader: IssueRelations,
  issues: readonly StoredIssue[],
): Promise<RelatedRows> {
  const known = new Map(issues.map((issue) => [issue.uid, issue]));
  const uids = [...known.keys()];
  const labels = await reader.labels.many(uids);
  const links = await reader.links.endsTouching(uids);
  const byIssue = new Map<string, LinkEnds[]>();
  const missing = new Set<string>();
  for (const link of links) {
    for (const uid of [link.from_uid, link.to_uid]) {
      if (known.has(uid)) addTo(byIssue, uid, link);
      else missing.add(uid);
    }
  }
  const peers = await reader.issues.peers([...missing]);
  const synced = await reader.marks?.syncedIssues(uids);
  const roots = await reader.bridges?.owners(uids);
  return {
    synced: (uid) => synced?.get(uid),
    root: (uid) => roots?.get(uid),
    labels: (uid) => (labels.get(uid) ?? []).map(({ label }) => label),
    links: (uid) => byIssue.get(uid) ?? [],
    peer: (uid) => known.get(uid) ?? peers.get(uid),
  };
}

function issueWithLinks(issue: StoredIssue, around: RelatedRows) {
  const blocks: LinkPeer[] = [];
  const blocked_by: LinkPeer[] = [];
  const related: LinkPeer[] = [];
  let parent: LinkPeer | undefined;
  for (const link of around.links(issue.uid)) {
    const outgoing = link.from_uid === issue.uid;
    const other = around.peer(outgoing ? link.to_uid : link.from_uid);
    if (other === undefined || isHidden(other)) continue;
    if (link.type === "related") related.push(linkPeer(other));
    else if (link.type === "blocks") (outgoing ? blocks : blocked_by).push(linkPeer(other));
    else if (outgoing) parent = linkPeer(other);
  }
  return {
    ...issueCore(issue),
    labels: [...around.labels(issue.uid)].sort(),
    ...(parent === undefined ? {} : { parent }),
    ...syncedOut(around.synced(issue.uid)),
    ...rootOut(around.root(issue.uid)),
    blocks,
    blocked_by,
    related,
    blocked: issue.open_blockers > 0,
    child_counts: { open: issue.open_children, total: issue.total_children },
  };
}

export function isHidden(issue: Pick<IssuePeer, "deleted_at" | "project_deleted_at">): boolean {
  return issue.deleted_at !== null || issue.project_deleted_at !== null;
}
