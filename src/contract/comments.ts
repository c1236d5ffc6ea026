import { z } from "zod";
import { Comment, Event, IssueOut } from "./objects.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";
import { Actor, CommentText, IdempotencyKey, IssueRef, ProjectId, Teammate } from "./values.ts";

const route = routesOf("comments");

const CommentResponse = component("CommentResponse", () =>
  z.looseObject({
    issue: IssueOut(),
    comment: Comment(),
    event: Event().nullable(),
    changed: z.boolean(),
  }),
);

export const createComment = route({
  id: "createComment",
  method: "POST",
  path: "/projects/{project_id}/issues/{ref}/comments",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "add a comment",
  headers: shape(() => z.object({ "idempotency-key": IdempotencyKey() })),
  body: component("CreateCommentRequest", () =>
    z.strictObject({ body: CommentText(), teammate: Teammate().optional(), actor: Actor() }),
  ),
  response: CommentResponse,
  errors: ["idempotency_mismatch"],
});

export const editComment = route({
  id: "editComment",
  method: "PATCH",
  path: "/projects/{project_id}/issues/{ref}/comments/{comment_ref}",
  access: "write",
  local: true,
  fenced: "gate",
  summary: "replace a comment's text; author, uid, time and place stay",
  params: shape(() =>
    z.object({
      project_id: ProjectId(),
      ref: IssueRef(),
      comment_ref: z.string().describe("the comment's uid"),
    }),
  ),
  body: component("EditCommentRequest", () =>
    z.strictObject({ body: CommentText(), actor: Actor() }),
  ),
  response: CommentResponse,
  errors: ["comment_not_found"],
});
