import { z } from "zod";
import { jsonBytes } from "../../../base/json-bytes.ts";
import { listAllIssues, showIssue } from "../../../contract/issues.ts";
import { MAX_ISSUE_UIDS } from "../../../contract/limits.ts";
import type { Output } from "../../../contract/route.ts";
import { projectOf } from "../../../shared/ref.ts";
import { firstRows, type Room, roomFor, textWithin } from "../../budget.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { Comment, IssueSummary, ProjectIdentity } from "../../objects.ts";
import type { Scope } from "../../scope.ts";
import { type ToolContext, tool } from "../../tool.ts";
import { commentOf, summaryOf } from "../../views.ts";

type Shown = Output<typeof showIssue>;

const ShownLink = z.strictObject({
  type: z.string(),
  qualified_ref: z.string(),
  status: z.string(),
});

const ShownComment = Comment.extend({ body_truncated: z.boolean().optional() });

export const show = tool({
  name: "svc.show",
  title: "Show issue",
  description:
    "An issue with its body, metadata, links and newest comments, oldest of these first. A text that is cut says body_truncated: ask again with body_offset for the rest, and never write a cut body back.",
  hints: "+-+-",
  input: z.strictObject({
    ref: inputs.ref,
    comment_limit: inputs.limit.describe("newest comments, default 20"),
    body_offset: z
      .int()
      .min(0)
      .default(0)
      .describe("characters (UTF-16 units) of the body, or of the comment, to skip"),
    comment: inputs.uid
      .optional()
      .describe("uid of the only comment to show, with more of its text"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    issue: IssueSummary.extend({
      body: z.string(),
      author: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      links: z.array(ShownLink),
      comments: z.array(ShownComment),
    }),
    body_truncated: z.boolean().optional(),
    comments_truncated: z.boolean(),
    metadata_omitted: z.array(z.string()).optional(),
    links_omitted: z.int().optional(),
    labels_omitted: z.int().optional(),
  }),
  async run({ ref, comment_limit, body_offset, comment }, context) {
    const { scope } = context;
    const { project, params } = await scope.issue(ref);
    // If one comment is asked for, set no limit: the daemon must send its whole text, however many comments there are.
    const query = comment === undefined ? { max_bytes: DAEMON_BYTES } : {};
    const shown = await context.call(showIssue, { params, query });
    const head = { ...summaryOf(shown.issue, scope), author: shown.issue.author };
    const room = roomFor(comment_limit, { project, head });
    const links = await linksOf(shown, context);
    const labels_omitted = shown.issue.labels.length - (head.labels?.length ?? 0);
    const cut =
      comment === undefined
        ? wholeIssue(shown, links, body_offset, room)
        : oneComment(shown, comment, body_offset, room);
    const { body_truncated, comments_truncated, metadata_omitted, links_omitted, ...parts } = cut;
    return {
      project,
      issue: { ...head, ...parts },
      ...(body_truncated ? { body_truncated } : {}),
      comments_truncated,
      ...(metadata_omitted.length === 0 ? {} : { metadata_omitted: [...metadata_omitted] }),
      ...(links_omitted === 0 ? {} : { links_omitted }),
      ...(labels_omitted === 0 ? {} : { labels_omitted }),
    };
  },
});

/**
 * The most bytes of the daemon's answer. If the issue has more, the daemon leaves out its oldest comments, but never a
 * part of the body or metadata.
 */
const DAEMON_BYTES = 512 * 1024;

/** `metadata_omitted` has at most this many keys. */
const MAX_KEYS = 20;

interface Link {
  readonly type: string;
  readonly qualified_ref: string;
  readonly status: string;
}

/** Fits the parts of the answer one after the other. The comments get the bytes that the other parts leave. */
function wholeIssue(
  { issue, comments, comment_count }: Shown,
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
  const newest = newestWithin(comments.map(commentOf), { ...room, bytes: room.bytes - used });
  return {
    body,
    body_truncated: offset + body.length < issue.body.length,
    metadata: metadata.kept,
    metadata_omitted,
    links: [...shownLinks],
    links_omitted: links.length - shownLinks.length,
    comments: newest,
    comments_truncated: newest.length < (comment_count ?? comments.length),
  };
}

function oneComment({ comments }: Shown, uid: string, offset: number, { bytes }: Room) {
  const found = comments.find((comment) => comment.uid === uid.toUpperCase());
  if (found === undefined)
    throw new ToolError(`invalid arguments: comment: the issue has no ${uid}`);
  const text = textWithin(found.body.slice(offset), bytes - jsonBytes({ ...found, body: "" }));
  const isCut = offset + text.length < found.body.length;
  return {
    body: "",
    body_truncated: true,
    metadata: {},
    metadata_omitted: [],
    links: [],
    links_omitted: 0,
    comments: [{ ...commentOf(found), body: text, ...(isCut ? { body_truncated: true } : {}) }],
    comments_truncated: comments.length > 1,
  };
}

type CommentView = ReturnType<typeof commentOf> & { readonly body_truncated?: boolean };

/** Returns the newest comments that fit, the oldest of them first. If not even the newest one fits, its text is cut. */
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
async function linksOf(shown: Shown, { call, scope }: ToolContext): Promise<readonly Link[]> {
  const { issue, parent, children, links } = shown;
  const peers = links.flatMap(({ type, from, to }) => {
    if (type === "parent") return [];
    const isFrom = from.uid === issue.uid;
    const kind = type === "blocks" && !isFrom ? "blocked_by" : type;
    return [{ type: kind, peer: isFrom ? to : from }];
  });
  const uids = peers.slice(0, MAX_ISSUE_UIDS).map(({ peer }) => peer.uid);
  const query = { issue_uid: uids, fields: "uid,status,project_id" };
  const asked = uids.length === 0 ? [] : (await call(listAllIssues, { query })).issues;
  const status = new Map(asked.map((peer) => [peer.uid, peer.status]));
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
  if (!scope.isPartial) return links;
  const names = new Set((await scope.projects()).map(({ name }) => name));
  return links.filter(({ qualified_ref }) => names.has(projectOf(qualified_ref)));
}
