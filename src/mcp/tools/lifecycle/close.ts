import { z } from "zod";
import { closeIssue } from "../../../contract/actions.ts";
import { EVIDENCE_TYPES } from "../../../contract/evidence.ts";
import { MAX_EVIDENCE, MAX_EVIDENCE_PATHS } from "../../../contract/limits.ts";
import { CLOSE_REASONS, closeFaults } from "../../../domain/close.ts";
import { ifMatch } from "../../../shared/revision.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

const Evidence = z.strictObject({
  type: z.enum(EVIDENCE_TYPES).describe("kind of evidence; each has one of the other fields"),
  sha: z.string().optional().describe("commit: its hash"),
  url: z.string().optional().describe("pr: its address"),
  command: z.string().optional().describe("test: the command that passed"),
  paths: z
    .array(z.string())
    .max(MAX_EVIDENCE_PATHS)
    .optional()
    .describe("reviewed-paths: the files that were read"),
  account: z.string().optional().describe("external: what happened where"),
  rationale: z.string().optional().describe("no-change-audit: why nothing had to change"),
  issue_ref: z.string().optional().describe("duplicate-of, superseded-by: the other issue"),
});

export const close = tool({
  name: "svc.close",
  title: "Close issue",
  description:
    "Closes an issue. The reason wontfix needs a message of 60 characters, done one of 40 and evidence of the type commit, pr, test, reviewed-paths or external; duplicate needs duplicate-of; superseded needs superseded-by; audit-no-change needs no-change-audit.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    reason: z.enum(CLOSE_REASONS).describe("why it is closed"),
    message: inputs.comment.describe("what was done, or why not"),
    evidence: z
      .array(Evidence)
      .max(MAX_EVIDENCE)
      .describe("what proves it, may be empty for wontfix"),
    dry_run: z.boolean().optional().describe("run all checks and change nothing"),
    idempotency_key: inputs.idempotencyKey.optional(),
    revision: inputs.revision,
  }),
  output: MutationOutput,
  async run({ ref, reason, message, evidence, dry_run, idempotency_key, revision }, context) {
    const { scope, call, actor } = context;
    const [fault] = closeFaults(reason, message, evidence);
    if (fault !== undefined)
      throw new ToolError(`invalid arguments: ${fault.field}: ${fault.reason}`);
    const { project, params } = await scope.issue(ref);
    for (const { issue_ref } of evidence)
      if (issue_ref !== undefined) await scope.issue(issue_ref, "evidence.issue_ref");
    const headers = {
      ...(idempotency_key === undefined ? {} : { "idempotency-key": idempotency_key }),
      ...ifMatch(revision),
    };
    const isGuarded = Object.keys(headers).length > 0;
    const body = {
      reason,
      message,
      evidence,
      dry_run,
      actor,
      ...(isGuarded ? { retry_protocol: "close-v1" as const } : {}),
    };
    return await writtenOf(project, await call(closeIssue, { params, headers, body }), scope);
  },
});
