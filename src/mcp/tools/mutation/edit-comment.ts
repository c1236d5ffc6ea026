import { z } from "zod";
import { editComment as route } from "../../../contract/comments.ts";
import { CommentOutput, commentWritten } from "../../comments.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";

export const editComment = tool({
  name: "svc.edit_comment",
  title: "Edit comment",
  description: "Replaces the whole text of a comment.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    comment_ref: inputs.uid.describe("uid of the comment"),
    body: inputs.comment,
  }),
  output: CommentOutput,
  async run({ ref, comment_ref, body }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    const answer = await call(route, { params: { ...params, comment_ref }, body: { body, actor } });
    return commentWritten(project, answer, scope);
  },
});
