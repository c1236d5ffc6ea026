import { z } from "zod";
import { deleteIssue } from "../../../contract/removal.ts";
import { fixedIssue, requireConfirmation } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

/** The constant is named `remove`, because `delete` is a keyword. */
export const remove = tool({
  name: "svc.delete",
  title: "Delete issue",
  description: "Deletes an issue; svc.restore brings it back.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    confirm: z.string().describe("exactly DELETE <project>#<short_id>"),
    reason: inputs.reason.optional(),
  }),
  output: MutationOutput,
  async run({ ref, confirm, reason }, context) {
    const { project, qualified_ref, params } = await fixedIssue(ref, false, context);
    requireConfirmation(confirm, `DELETE ${qualified_ref}`);
    const headers = { "x-svc-confirm": confirm };
    const body = { reason, actor: context.actor };
    const answer = await context.call(deleteIssue, { params, headers, body });
    return await writtenOf(project, answer, context.scope);
  },
});
