import { z } from "zod";
import { claimIssue } from "../../../contract/actions.ts";
import { SvcError } from "../../../contract/errors.ts";
import { ToolError } from "../../failure.ts";
import { freeIssue } from "../../free-issue.ts";
import * as inputs from "../../inputs.ts";
import { IssueSummary, mutation, ProjectIdentity } from "../../objects.ts";
import type { NamedIssue } from "../../scope.ts";
import { ShownComment, ShownLink } from "../../shown-issue.ts";
import { takeNext } from "../../take-next.ts";
import { CHANGES, type ToolContext, tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

/** If the call has no `ref`, the answer also contains the text of the issue, so that the agent need not read it. */
const Claimed = IssueSummary.extend({
  body: z.string().optional(),
  links: z.array(ShownLink).optional(),
  comments: z.array(ShownComment).optional(),
});

export const claim = tool({
  name: "svc.claim",
  title: "Claim issue",
  description:
    "Makes you the owner of the issue that ref names or, without ref, of the next ready one that nobody owns, and answers that with its text; no issue in the answer: none is ready. Refused if another owns or leases the issue; the refusal then names a free one.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref.optional(),
    force: z.boolean().optional().describe("take it over from its owner"),
    if_unowned: z.boolean().optional().describe("refuse if anybody owns it, even you"),
    project: inputs.onlyProject,
    labels: inputs.labels,
    exclude_labels: inputs.excludeLabels,
    idempotency_key: inputs.idempotencyKey.optional(),
  }),
  output: z.strictObject({
    ...mutation,
    project: ProjectIdentity.optional(),
    issue: Claimed.optional(),
    previous_owner: z.string().optional(),
    body_truncated: z.boolean().optional(),
    links_omitted: z.int().optional(),
    comments_truncated: z.boolean().optional(),
  }),
  async run({ ref, force, if_unowned, ...wanted }, context) {
    if (ref === undefined) {
      requireAbsent({ force, if_unowned }, "needs ref");
      return await takeNext(wanted, context);
    }
    requireAbsent(wanted, "is for a call without ref");
    if (force === true && if_unowned === true)
      throw new ToolError("invalid arguments: force and if_unowned exclude each other");
    const { scope, call, actor } = context;
    const issue = await scope.issue(ref);
    const { project, params } = issue;
    const claimed = call(claimIssue, { params, body: { force, if_unowned, actor } });
    const answer = await claimed.catch(async (error) => await refuse(error, issue, context));
    const { previous_owner } = answer;
    return {
      ...(await writtenOf(project, answer, scope)),
      ...(previous_owner === undefined ? {} : { previous_owner }),
    };
  },
});

/** Refuses arguments that have no effect in this form of the call. */
function requireAbsent(args: Readonly<Record<string, unknown>>, reason: string): void {
  const named = Object.keys(args).find((name) => args[name] !== undefined);
  if (named !== undefined) throw new ToolError(`invalid arguments: ${named}: ${reason}`);
}

/**
 * Throws the error of a claim that was refused. If somebody else owns or leases the issue, the error says who, and
 * names an issue that is free, so that the agent need not ask for one.
 */
async function refuse(error: unknown, issue: NamedIssue, context: ToolContext): Promise<never> {
  const isTaken =
    error instanceof SvcError &&
    (error.code === "already_claimed" || error.code === "claim_denied");
  if (!isTaken) throw error;
  const { holder } = (error.data["holder"] ?? {}) as { readonly holder?: string };
  const message = holder === undefined ? error.message : `leased by ${holder}`;
  const free = await freeIssue(issue, context);
  const hint =
    free === undefined ? "no other issue is free now" : `${free} is free, claim that one`;
  throw new SvcError(error.code, error.data, { message, hint, cause: error });
}
