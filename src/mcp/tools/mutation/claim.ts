import { z } from "zod";
import { claimIssue } from "../../../contract/actions.ts";
import { SvcError } from "../../../contract/errors.ts";
import { ToolError } from "../../failure.ts";
import { freeIssue } from "../../free-issue.ts";
import * as inputs from "../../inputs.ts";
import { mutation } from "../../objects.ts";
import type { NamedIssue } from "../../scope.ts";
import { type ToolContext, tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

export const claim = tool({
  name: "svc.claim",
  title: "Claim issue",
  description:
    "Makes you the owner of an issue. Refused if another owns or leases it; the refusal then names a free issue.",
  hints: "-++-",
  input: z.strictObject({
    ref: inputs.ref,
    force: z.boolean().optional().describe("take it over from its owner"),
    if_unowned: z.boolean().optional().describe("refuse if anybody owns it, even you"),
  }),
  output: z.strictObject({ ...mutation, previous_owner: z.string().optional() }),
  async run({ ref, force, if_unowned }, context) {
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
