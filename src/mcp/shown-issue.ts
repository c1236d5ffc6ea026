import { z } from "zod";
import { jsonBytes } from "../base/json-bytes.ts";
import { listAllIssues, type showIssue } from "../contract/issues.ts";
import { MAX_ISSUE_UIDS } from "../contract/limits.ts";
import type { Output } from "../contract/route.ts";
import { projectOf } from "../shared/ref.ts";
import { firstRows, type Room, textWithin } from "./budget.ts";
import { Comment } from "./objects.ts";
import type { Scope } from "./scope.ts";
import type { ToolContext } from "./tool.ts";
import { commentOf } from "./views.ts";

/** An issue in the answer of a tool: its body, links and comments, cut to the size of an answer. */

export type ShowAnswer = Output<typeof showIssue>;

export const ShownLink = z.strictObject({
  type: z.string(),
  qualified_ref: z.string(),
  status: z.string(),
});

export const ShownComment = Comment.extend({ body_truncated: z.boolean().optional() });

/**
 * The most bytes of the daemon's answer. If the issue has more, the daemon leaves out its oldest comments, but never a
 * part of the body or metadata.
 */
const SHOWN_BYTES = 512 * 1024;

/** `older_comments` names at most this many comments. */
const MAX_OLDER = 100;

/** Returns the query for an issue with as many comments as the answer can show or name. */
export function shownWithin({ rows }: Pick<Room, "rows">) {
  return { comments_limit: rows + MAX_OLDER, max_bytes: SHOWN_BYTES };
}

/** `metadata_omitted` has at most this many keys. */
const MAX_KEYS = 20;

export interface Link {
  readonly type: string;
  readonly qualified_ref: string;
  readonly status: string;
}

/** Fits the parts of an issue one after the other. The comments get the bytes that the other parts leave. */
export function wholeIssue(
  { issue, comments, comment_count }: ShowAnswer,
  links: readonly Link[],
  offset: number,
  room: Room,
) {
  const body = textWithin(issue.body.slice(offset), room.bytes / 2);
  const metadata = metadataWithin(issue.metadata, room.bytes / 8);
  const shownLinks = firstRows(links, { rows: links.length, bytes: room.bytes / 8 });
  // There may be hundreds of omitted keys, so only some of them are named.
  const metadata_omitted = firstRows(metadata.omitted, { rows: MAX_KEYS, bytes: room.bytes / 16 });
  const used = jsonBytes([body, metadata.kept, metadata_omitted, shownLinks]);
  const page = pageOfComments(comments, { ...room, bytes: room.bytes - used });
  const isCut = page.comments.length < (comment_count ?? comments.length);
  return {
    body,
    body_truncated: offset + body.length < issue.body.length,
    metadata: metadata.kept,
    metadata_omitted,
    links: [...shownLinks],
    links_omitted: links.length - shownLinks.length,
    ...page,
    comments_truncated: isCut,
  };
}

/**
 * Returns the newest comments that fit, sorted from old to new. Also returns the uids of comments before these, sorted
 * from new to old.
 */
export function pageOfComments(rows: ShowAnswer["comments"], room: Room) {
  const all = rows.map(commentOf);
  const whole = newestWithin(all, room);
  if (whole.length === all.length) return { comments: whole, older_comments: [] };
  const forUids = room.bytes / 8;
  const comments = newestWithin(all, { ...room, bytes: room.bytes - forUids });
  const left = all.slice(0, all.length - comments.length).map(({ uid }) => uid);
  const older = firstRows(left.toReversed(), { rows: MAX_OLDER, bytes: forUids });
  return { comments, older_comments: [...older] };
}

type CommentView = ReturnType<typeof commentOf> & { readonly body_truncated?: boolean };

/**
 * Returns the newest comments that fit, sorted from old to new. If not even the newest comment fits, its text is cut.
 */
function newestWithin(comments: readonly CommentView[], room: Room): CommentView[] {
  const [newest, ...older] = comments.toReversed();
  if (newest === undefined) return [];
  const beside = jsonBytes({ ...newest, body: "", body_truncated: true });
  const body = textWithin(newest.body, room.bytes - beside);
  const first =
    body.length < newest.body.length ? { ...newest, body, body_truncated: true } : newest;
  return [...firstRows([first, ...older], room)].toReversed();
}

function metadataWithin(metadata: Readonly<Record<string, unknown>>, bytes: number) {
  const kept: Record<string, unknown> = {};
  const omitted: string[] = [];
  let left = bytes;
  for (const [key, value] of Object.entries(metadata)) {
    const size = jsonBytes({ [key]: value });
    if (size <= left) kept[key] = value;
    else omitted.push(key);
    left -= Math.min(size, left);
  }
  return { kept, omitted };
}

/**
 * Returns the parent, the children and the other linked issues, without those of projects that this server may not
 * read. The `type` of each returned link is as seen from the shown issue, for example `blocked_by`.
 */
export async function linksOf(
  shown: ShowAnswer,
  { call, scope }: ToolContext,
): Promise<readonly Link[]> {
  const { issue, parent, children, links } = shown;
  const peers = links.flatMap(({ type, from, to }) => {
    if (type === "parent") return [];
    const isFrom = from.uid === issue.uid;
    const kind = type === "blocks" && !isFrom ? "blocked_by" : type;
    return [{ type: kind, peer: isFrom ? to : from }];
  });
  const uids = peers.slice(0, MAX_ISSUE_UIDS).map(({ peer }) => peer.uid);
  const query = { issue_uid: uids, fields: "uid,status,project_id" };
  const rows = uids.length === 0 ? [] : (await call(listAllIssues, { query })).issues;
  const status = new Map(rows.map((peer) => [peer.uid, peer.status]));
  const all = [
    ...(parent === undefined ? [] : [linkTo("parent", parent)]),
    ...children.map((child) => linkTo("child", child)),
    ...peers.map(({ type, peer }) => linkTo(type, { ...peer, status: status.get(peer.uid) })),
  ];
  return await inReach(all, scope);
}

function linkTo(
  type: string,
  { qualified_id, status }: { readonly qualified_id: string; readonly status?: string | undefined },
): Link {
  return { type, qualified_ref: qualified_id, status: status ?? "unknown" };
}

async function inReach(links: readonly Link[], scope: Scope): Promise<readonly Link[]> {
  if (!scope.isLimited) return links;
  const names = new Set((await scope.projects()).map(({ name }) => name));
  return links.filter(({ qualified_ref }) => names.has(projectOf(qualified_ref)));
}
