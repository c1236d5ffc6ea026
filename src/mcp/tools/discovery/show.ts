import { z } from "zod";
import { jsonBytes } from "../../../base/json-bytes.ts";
import { showIssue } from "../../../contract/issues.ts";
import { type Room, roomFor, textWithin } from "../../budget.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { IssueSummary, ProjectIdentity } from "../../objects.ts";
import {
  linksOf,
  SHOWN_BYTES,
  type Shown,
  ShownComment,
  ShownLink,
  wholeIssue,
} from "../../shown-issue.ts";
import { tool } from "../../tool.ts";
import { commentOf, summaryOf } from "../../views.ts";

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
    const query = comment === undefined ? { max_bytes: SHOWN_BYTES } : {};
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
