import { z } from "zod";
import { jsonBytes } from "../../../base/json-bytes.ts";
import { SvcError } from "../../../contract/errors.ts";
import { showIssue } from "../../../contract/issues.ts";
import { whyIssue } from "../../../contract/search.ts";
import { type Room, roomFor, textWithin } from "../../budget.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { IssueSummary, ProjectIdentity } from "../../objects.ts";
import { foreignCursor } from "../../paging.ts";
import type { NamedIssue } from "../../scope.ts";
import {
  linksOf,
  pageOfComments,
  type ShowAnswer,
  ShownComment,
  ShownLink,
  shownWithin,
  wholeIssue,
} from "../../shown-issue.ts";
import { READS, type ToolContext, tool } from "../../tool.ts";
import { commentOf, summaryOf } from "../../views.ts";

export const show = tool({
  name: "svc.show",
  title: "Show issue",
  description:
    "An issue with its body, metadata, links and newest comments, oldest of these first; next_cursor leads to older ones. A text that is cut says body_truncated: ask again with body_offset for the rest, and never write a cut body back.",
  annotations: READS,
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
    cursor: inputs.cursor.describe("next_cursor of the answer before: only older comments"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    issue: IssueSummary.extend({
      body: z.string(),
      author: z.string(),
      synced: z.string().optional(),
      root: z.string().optional(),
      metadata: z.record(z.string(), z.unknown()),
      links: z.array(ShownLink),
      comments: z.array(ShownComment),
    }),
    not_ready: z.array(z.string()).optional(),
    body_truncated: z.boolean().optional(),
    comments_truncated: z.boolean(),
    older_comments: z.array(z.string()).optional(),
    next_cursor: z.string().optional(),
    metadata_omitted: z.array(z.string()).optional(),
    links_omitted: z.int().optional(),
    labels_omitted: z.int().optional(),
  }),
  async run({ ref, comment_limit, body_offset, comment, cursor }, context) {
    if (comment !== undefined && cursor !== undefined)
      throw new ToolError("invalid arguments: comment and cursor exclude each other");
    const { scope } = context;
    const { project, params } = await scope.issue(ref);
    const query = { comment, comments_before: cursor };
    const shown = await shownOf(params, { ...query, comments_limit: comment_limit }, context);
    const not_ready = await whyNotReady(shown, params, context);
    const blocked = not_ready.includes("blocked") ? { blocked: true } : {};
    const { author, synced, external_root: root } = shown.issue;
    const followed = synced === undefined ? {} : { synced: synced.url };
    const bound = root === undefined ? {} : { root: root.connector_instance };
    const head = { ...summaryOf(shown.issue, scope), ...blocked, author, ...followed, ...bound };
    const room = roomFor(comment_limit, { project, head });
    const labels_omitted = shown.issue.labels.length - (head.labels?.length ?? 0);
    const parts =
      comment !== undefined
        ? oneComment(shown, comment, body_offset, room)
        : cursor !== undefined
          ? olderComments(shown, cursor, room)
          : wholeIssue(shown, await linksOf(shown, context), body_offset, room);
    const { body, metadata, links: shownLinks, comments, comments_truncated, ...cut } = parts;
    const { body_truncated, metadata_omitted, links_omitted, older_comments } = cut;
    const [oldest] = comments;
    return {
      project,
      issue: { ...head, body, metadata, links: shownLinks, comments },
      ...(not_ready.length === 0 ? {} : { not_ready: [...not_ready] }),
      ...(body_truncated ? { body_truncated } : {}),
      comments_truncated,
      ...(older_comments.length === 0 ? {} : { older_comments }),
      ...(comment === undefined && comments_truncated && oldest !== undefined
        ? { next_cursor: oldest.uid }
        : {}),
      ...(metadata_omitted.length === 0 ? {} : { metadata_omitted: [...metadata_omitted] }),
      ...(links_omitted === 0 ? {} : { links_omitted }),
      ...(labels_omitted === 0 ? {} : { labels_omitted }),
    };
  },
});

interface CommentQuery {
  readonly comment: string | undefined;
  readonly comments_before: string | undefined;
  readonly comments_limit: number | undefined;
}

/**
 * Reads the issue with the comments whose text the answer can show, and with older comments of which it gives only the
 * ids. If not even the newest comment fits into the daemon's answer, reads the issue with this comment alone, whatever
 * the comment's size.
 */
async function shownOf(
  params: NamedIssue["params"],
  { comments_limit, ...which }: CommentQuery,
  { call }: ToolContext,
): Promise<ShowAnswer> {
  const read = async (query: object): Promise<ShowAnswer> =>
    await call(showIssue, { params, query: { ...which, ...query } });
  try {
    const shown = await read(shownWithin(roomFor(comments_limit)));
    const isCut = shown.comments.length === 0 && olderThan(shown) > 0;
    return isCut ? await read({ comments_limit: 1 }) : shown;
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== "validation") throw error;
    throw which.comment === undefined ? foreignCursor() : noComment(which.comment);
  }
}

/**
 * Returns how many comments of the issue are older than the first comment of the answer. A daemon before API 0.20.0
 * does not send this number.
 */
function olderThan({ comments, comment_count, older_comment_count }: ShowAnswer): number {
  return older_comment_count ?? (comment_count ?? comments.length) - comments.length;
}

/**
 * Returns why an open issue is not ready, such as `blocked`. The reason names no other issue, so it can be shown even
 * if the blocker is out of reach.
 */
async function whyNotReady(
  { issue }: ShowAnswer,
  params: NamedIssue["params"],
  { call }: ToolContext,
): Promise<readonly string[]> {
  if (issue.status !== "open") return [];
  const { reasons } = await call(whyIssue, { params });
  return reasons.map(({ reason }) => reason);
}

/** The other members of an answer that contains only comments. */
const NOTHING_ELSE = {
  body: "",
  body_truncated: true,
  metadata: {},
  metadata_omitted: [],
  links: [],
  links_omitted: 0,
};

/**
 * Returns the comments before the cursor. A daemon before API 0.20.0 sends the newer comments too, so leave them out.
 */
function olderComments(shown: ShowAnswer, cursor: string, room: Room) {
  const { comments, older_comment_count } = shown;
  const at = comments.findIndex(({ uid }) => uid === cursor);
  if (at === -1 && older_comment_count === undefined) throw foreignCursor();
  const rows = at === -1 ? comments : comments.slice(0, at);
  const page = pageOfComments(rows, room);
  const comments_truncated = page.comments.length < rows.length || olderThan(shown) > 0;
  return { ...NOTHING_ELSE, ...page, comments_truncated };
}

function oneComment(shown: ShowAnswer, uid: string, offset: number, { bytes }: Room) {
  const { comments, comment_count = comments.length } = shown;
  const found = comments.find((comment) => comment.uid === uid.toUpperCase());
  if (found === undefined) throw noComment(uid);
  const text = textWithin(found.body.slice(offset), bytes - jsonBytes({ ...found, body: "" }));
  const isCut = offset + text.length < found.body.length;
  return {
    ...NOTHING_ELSE,
    comments: [{ ...commentOf(found), body: text, ...(isCut ? { body_truncated: true } : {}) }],
    older_comments: [],
    comments_truncated: comment_count > 1,
  };
}

function noComment(uid: string): ToolError {
  return new ToolError(`invalid arguments: comment: the issue has no ${uid}`);
}
