import { z } from "zod";
import { restoreIssue } from "../../../contract/removal.ts";
import { fixedIssue } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

export const restore = tool({
  name: "svc.restore",
  title: "Restore issue",
  description: "Brings a deleted issue back as it was.",
  annotations: { ...CHANGES, destructiveHint: false },
  input: z.strictObject({ ref: inputs.ref }),
  output: MutationOutput,
  async run({ ref }, context) {
    const { project, params } = await fixedIssue(ref, true, context);
    const answer = await context.call(restoreIssue, { params, body: { actor: context.actor } });
    return await writtenOf(project, answer, context.scope);
  },
});
