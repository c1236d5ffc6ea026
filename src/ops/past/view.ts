import type { MemoryState } from "../../domain/memory.ts";
import { derivedOf } from "../../domain/readiness.ts";
import type { CommentRow, IssueRow, LabelRow, LinkRow } from "../../domain/state.ts";
import type { Comments, IssuePeer } from "../../store/types/issues.ts";
import type { StoredIssue, WithId } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { IssueReader } from "../out/show.ts";
import type { Past } from "./past.ts";

/** The data that `showIssueOut` reads, and the comments at the past moment. */
interface PastView extends IssueReader {
  readonly comments: Pick<Comments, "of">;
}

/**
 * Makes a view of the past that the functions for current answers can read. Local ids are those of the current rows,
 * since a fold has none; a link that no longer exists has the id 0. An issue whose project was merged later shows the
 * project's old name.
 */
export async function pastView(
  reader: Reader,
  { state, labels, places }: Past,
  uids: readonly string[],
  zone: string,
): Promise<PastView> {
  const present = await presentOf(reader, state, uids);
  const peerAt = (uid: string): IssuePeer | undefined => {
    const [row, now] = [state.issue(uid), present.issues.get(uid)];
    if (row === undefined || now === undefined) return undefined;
    const { short_id, status, deleted_at } = row;
    return { id: now.id, uid, short_id, status, deleted_at, ...projectAt(row, now) };
  };
  const projectAt = (row: IssueRow, now: StoredIssue) => {
    const project = state.project(row.project_uid);
    return {
      project_name: project?.name ?? now.project_name,
      project_deleted_at: project?.deleted_at ?? null,
    };
  };
  const issueAt = (uid: string): StoredIssue | undefined => {
    const [row, now] = [state.issue(uid), present.issues.get(uid)];
    if (row === undefined || now === undefined) return undefined;
    return {
      ...row,
      ...derivedOf(state, row, zone),
      content_revision: now.content_revision,
      id: now.id,
      recurrence_id: row.recurrence_uid === null ? null : now.recurrence_id,
      project_id: present.projectIds.get(row.project_uid) ?? now.project_id,
      ...projectAt(row, now),
    };
  };
  const issuesAt = async (wanted: readonly string[]) =>
    new Map(wanted.flatMap((uid) => entryOf(uid, issueAt(uid))));
  const labelsOf = (uid: string) => (labels.get(uid) ?? []).toSorted(byLabel);
  const linkOf = (link: LinkRow): WithId<LinkRow> => {
    return { ...link, id: present.linkIds.get(linkKey(link)) ?? 0 };
  };
  const linksOf = (wanted: readonly string[]) => {
    const found = [...new Set(wanted.flatMap((uid) => state.linksOf(uid)))];
    return found.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)).map(linkOf);
  };
  return {
    issues: {
      many: issuesAt,
      peers: async (wanted) => new Map(wanted.flatMap((uid) => entryOf(uid, peerAt(uid)))),
      children: async (uid) =>
        state
          .linksOf(uid)
          .filter(({ type, to_uid }) => type === "parent" && to_uid === uid)
          .flatMap(({ from_uid }) => issueAt(from_uid) ?? [])
          .filter(({ deleted_at }) => deleted_at === null)
          .sort(byId),
    },
    labels: {
      of: async (uid) => labelsOf(uid),
      many: async (wanted) => new Map(wanted.map((uid) => [uid, labelsOf(uid)])),
    },
    links: {
      touching: async (wanted) => linksOf(wanted),
      endsTouching: async (wanted) => linksOf(wanted),
    },
    comments: {
      of: async (uid) => {
        const ids = new Map((await reader.comments.of(uid)).map(({ uid: own, id }) => [own, id]));
        return [...state.rows("comment")]
          .filter(({ issue_uid }) => issue_uid === uid)
          .map((comment) => ({ ...comment, id: ids.get(comment.uid) ?? 0 }))
          .sort(byTime);
      },
    },
    leases: {
      of: async (uid) => {
        const lease = state.row("lease", uid);
        const now = lease === undefined ? undefined : await reader.leases.of(uid);
        return lease === undefined ? undefined : { ...lease, id: now?.id ?? 0 };
      },
    },
  };
}

async function presentOf(reader: Reader, state: MemoryState, uids: readonly string[]) {
  const around = uids.flatMap((uid) => [uid, ...peersOf(state, uid)]);
  const issues = await reader.issues.many([...new Set(around)]);
  const links = await reader.links.touching(uids);
  const projectIds = new Map<string, number>();
  for (const { project_uid, project_id } of issues.values())
    projectIds.set(project_uid, project_id);
  for (const uid of new Set([...issues.keys()].map((own) => state.issue(own)?.project_uid))) {
    if (uid === undefined || projectIds.has(uid)) continue;
    const project = await reader.projects.find(uid);
    if (project !== undefined) projectIds.set(uid, project.id);
  }
  const linkIds = new Map(links.map((link) => [linkKey(link), link.id]));
  return { issues, projectIds, linkIds };
}

function peersOf(state: MemoryState, uid: string): readonly string[] {
  return state.linksOf(uid).map((link) => (link.from_uid === uid ? link.to_uid : link.from_uid));
}

function linkKey({ from_uid, to_uid, type }: LinkRow): string {
  return `${from_uid} ${to_uid} ${type}`;
}

function byId(left: { readonly id: number }, right: { readonly id: number }): number {
  return left.id - right.id;
}

function byLabel(left: LabelRow, right: LabelRow): number {
  return left.label < right.label ? -1 : 1;
}

function byTime(left: CommentRow, right: CommentRow): number {
  const [one, other] = [left, right].map(({ created_at, uid }) => `${created_at} ${uid}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

function entryOf<T>(uid: string, value: T | undefined): readonly (readonly [string, T])[] {
  return value === undefined ? [] : [[uid, value]];
}
