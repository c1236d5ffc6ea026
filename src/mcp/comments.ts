import { z } from "zod";
import type { createComment } from "../contract/comments.ts";
import type { Output } from "../contract/route.ts";
import type { NamedProject } from "../shared/project-choice.ts";
import { Comment, EventSummary, IssueSummary, ProjectIdentity } from "./objects.ts";
import type { Scope } from "./scope.ts";
import { commentOf, echoOf, eventOf, shortened } from "./views.ts";

/** The answer to a write repeats at most this many bytes of the comment's text. */
const ECHO_BYTES = 80;

export const CommentOutput = z.strictObject({
  project: ProjectIdentity,
  issue: IssueSummary,
  comment: Comment,
  changed: z.boolean(),
  reused: z.boolean().optional(),
  event: EventSummary.optional(),
});

/** Returns the answer to a write of a comment. If the write was a repeated one, the answer has no event. */
export function commentWritten(
  project: NamedProject,
  { issue, comment, changed, event }: Output<typeof createComment>,
  scope: Scope,
) {
  return {
    project,
    issue: echoOf(issue, scope),
    comment: { ...commentOf(comment), body: shortened(comment.body, ECHO_BYTES) },
    changed,
    ...(event === null ? {} : { event: eventOf(event) }),
  };
}
