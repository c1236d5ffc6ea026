import { z } from "zod";
import { jsonBytes } from "../../../base/json-bytes.ts";
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
  SHOWN_BYTES,
  type Shown,
  ShownComment,
  ShownLink,
  wholeIssue,
} from "../../shown-issue.ts";
import { type ToolContext, tool } from "../../tool.ts";
import { commentOf, summaryOf } from "../../views.ts";

export const show = tool({
  name: "svc.show",
  title: "Show issue",
  description:
    "An issue with its body, metadata, links and newest comments, oldest of these first; next_cursor leads to older ones. A text that is cut says body_truncated: ask again with body_offset for the rest, and never write a cut body back.",
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
    cursor: inputs.cursor.describe("next_cursor of the answer before: only older comments"),
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
    const isFirst = comment === undefined && cursor === undefined;
    const shown = await shownOf(params, isFirst, context);
    const not_ready = await whyNotReady(shown, params, context);
    const blocked = not_ready.includes("blocked") ? { blocked: true } : {};
    const head = { ...summaryOf(shown.issue, scope), ...blocked, author: shown.issue.author };
    const room = roomFor(comment_limit, { project, head });
    const links = await linksOf(shown, context);
    const labels_omitted = shown.issue.labels.length - (head.labels?.length ?? 0);
    const parts =
      comment !== undefined
        ? oneComment(shown, comment, body_offset, room)
        : cursor !== undefined
          ? olderComments(shown, cursor, room)
          : wholeIssue(shown, links, body_offset, room);
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

/**
 * Reads the issue. The daemon leaves out old comments only where the answer begins with the newest ones, and not if even
 * the newest one is too long.
 */
async function shownOf(
  params: NamedIssue["params"],
  isFirst: boolean,
  { call }: ToolContext,
): Promise<Shown> {
  if (!isFirst) return await call(showIssue, { params, query: {} });
  const shown = await call(showIssue, { params, query: { max_bytes: SHOWN_BYTES } });
  const isEmpty = shown.comments.length === 0 && (shown.comment_count ?? 0) > 0;
  return isEmpty ? await call(showIssue, { params, query: {} }) : shown;
}

/**
 * Returns why an open issue cannot be worked on, such as `blocked`. It names no other issue, so it holds also where the
 * blocker is out of reach.
 */
async function whyNotReady(
  { issue }: Shown,
  params: NamedIssue["params"],
  { call }: ToolContext,
): Promise<readonly string[]> {
  if (issue.status !== "open") return [];
  const { reasons } = await call(whyIssue, { params });
  return reasons.map(({ reason }) => reason);
}

/** What an answer has of the issue beside comments that are asked for by themselves. */
const NOTHING_ELSE = {
  body: "",
  body_truncated: true,
  metadata: {},
  metadata_omitted: [],
  links: [],
  links_omitted: 0,
};

function olderComments({ comments }: Shown, cursor: string, room: Room) {
  const at = comments.findIndex(({ uid }) => uid === cursor);
  if (at === -1) throw foreignCursor();
  const page = pageOfComments(comments.slice(0, at), room);
  return { ...NOTHING_ELSE, ...page, comments_truncated: page.comments.length < at };
}

function oneComment({ comments }: Shown, uid: string, offset: number, { bytes }: Room) {
  const found = comments.find((comment) => comment.uid === uid.toUpperCase());
  if (found === undefined)
    throw new ToolError(`invalid arguments: comment: the issue has no ${uid}`);
  const text = textWithin(found.body.slice(offset), bytes - jsonBytes({ ...found, body: "" }));
  const isCut = offset + text.length < found.body.length;
  return {
    ...NOTHING_ELSE,
    comments: [{ ...commentOf(found), body: text, ...(isCut ? { body_truncated: true } : {}) }],
    older_comments: [],
    comments_truncated: comments.length > 1,
  };
}
