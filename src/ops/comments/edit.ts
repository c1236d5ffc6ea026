import type { editComment as contract } from "../../contract/comments.ts";
import { SvcError } from "../../contract/errors.ts";
import { commentEdited } from "../../domain/drafts/issues.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { commentResponse } from "./response.ts";

/**
 * Replaces a comment's text; author, uid, time and position stay (docs/contract/http-api.md#35-comments-labels-links).
 */
export const editComment: Op<typeof contract> = async (deps, who, { params, body }) => {
  const actor = actorOf(who, body.actor);
  const uid = params.comment_ref.toUpperCase();
  return await deps.store.write(async (tx) => {
    const found = await requireIssue(tx, params);
    const comment = await tx.comments.find(found.issue.uid, uid);
    if (comment === undefined) {
      throw new SvcError("comment_not_found", { comment_ref: params.comment_ref });
    }
    if (comment.body === body.body) return await commentResponse(tx, found, comment.uid);
    const draft = commentEdited(found.issue, comment.uid, body.body, { actor, now: tx.now });
    const event = await tx.append(draft);
    return await commentResponse(tx, found, comment.uid, event);
  });
};
