import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import { createIssue } from "../../../contract/issues.ts";
import { DEFAULT_BODY_BYTES } from "../../../contract/limits.ts";
import type { Links } from "../../../shared/links.ts";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { peersOf } from "../../peers.ts";
import { personNamed } from "../../person.ts";
import { dateText, withMembers } from "../../planned.ts";
import { CHANGES, type ToolContext, tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

export const create = tool({
  name: "svc.create",
  title: "Create issue",
  description:
    "Creates an issue. Search first: an issue much like an open one is refused with duplicate_candidates unless force_new is set.",
  annotations: { ...CHANGES, destructiveHint: false },
  input: z.strictObject({
    title: inputs.title,
    project: inputs.ownProject,
    body: z.string().max(DEFAULT_BODY_BYTES).optional().describe("Markdown"),
    owner: z.string().min(1).optional().describe("who works on it"),
    priority: inputs.priority,
    labels: inputs.labels.describe("labels, in lower case"),
    metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("further data: keys with values, no null"),
    scheduled_on: dateText
      .optional()
      .describe("not ready before: YYYY-MM-DD, YYYY-MM-DDTHH:MM or a UTC instant"),
    timezone: z.string().min(1).optional().describe("IANA zone of scheduled_on"),
    force_new: z.boolean().optional().describe("create even if similar issues exist"),
    parent: inputs.ref.optional().describe("parent issue"),
    blocks: inputs.refs.describe("issues that wait for this one"),
    blocked_by: inputs.refs.describe("issues that this one waits for"),
    related: inputs.refs.describe("related issues"),
    idempotency_key: inputs.idempotencyKey,
  }),
  output: MutationOutput,
  async run(input, context) {
    const { scope, call, actor } = context;
    const { title, body, priority, labels, force_new, scheduled_on, timezone } = input;
    const owner = await personNamed(input.owner, context);
    const project = await scope.project(input.project);
    const metadata = withMembers(input.metadata, { scheduled_on, timezone });
    const links = await linksOf(input, context);
    const answer = await call(createIssue, {
      params: { project_id: project.id },
      headers: { "idempotency-key": input.idempotency_key },
      body: {
        title,
        body,
        owner,
        priority,
        labels,
        force_new,
        actor,
        ...(metadata && { metadata: metadata as JsonObject }),
        ...(links.length === 0 ? {} : { links }),
      },
    });
    const { event, ...written } = await writtenOf(project, answer, scope);
    // A repeated request gets the event of the first request.
    return written.reused === true || event === undefined ? written : { ...written, event };
  },
});

/**
 * Returns the links for the request that creates an issue. A link names the other issue by its uid, and the project in
 * which that issue was found. If the issue has been moved to another project since, the daemon refuses the link.
 */
async function linksOf({ parent, blocks, blocked_by, related }: Links, context: ToolContext) {
  const linksTo = async (
    name: keyof Links,
    refs: readonly string[] | undefined,
    type: "parent" | "blocks" | "related",
    incoming?: true,
  ) =>
    (await peersOf(name, refs, context)).map(({ uid, project }) => ({
      type,
      to_ref: uid,
      to_project_uid: project.uid,
      ...(incoming && { incoming }),
    }));
  return [
    ...(await linksTo("parent", parent === undefined ? [] : [parent], "parent")),
    ...(await linksTo("blocks", blocks, "blocks")),
    ...(await linksTo("blocked_by", blocked_by, "blocks", true)),
    ...(await linksTo("related", related, "related")),
  ];
}
