import { z } from "zod";
import { createComment } from "../../../contract/comments.ts";
import { CommentOutput, commentWritten } from "../../comments.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";

export const comment = tool({
  name: "svc.comment",
  title: "Add comment",
  description: "Adds a comment: progress, a question, or what whoever goes on must know.",
  annotations: { ...CHANGES, destructiveHint: false },
  input: z.strictObject({
    ref: inputs.ref,
    body: inputs.comment,
    idempotency_key: inputs.idempotencyKey,
  }),
  output: CommentOutput,
  async run({ ref, body, idempotency_key }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    const headers = { "idempotency-key": idempotency_key };
    const answer = await call(createComment, { params, headers, body: { body, actor } });
    // A new comment always changes the issue, so no change means that the key was used before.
    const reused = answer.changed ? {} : { reused: true };
    return { ...commentWritten(project, answer, scope), ...reused };
  },
});
