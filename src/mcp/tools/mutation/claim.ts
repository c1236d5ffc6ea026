import { z } from "zod";
import { claimIssue } from "../../../contract/actions.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { mutation } from "../../objects.ts";
import { tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

export const claim = tool({
  name: "svc.claim",
  title: "Claim issue",
  description:
    "Makes you the owner. Refused with already_claimed if another owns it: take another issue.",
  hints: "-++-",
  input: z.strictObject({
    ref: inputs.ref,
    force: z.boolean().optional().describe("take it over from its owner"),
    if_unowned: z.boolean().optional().describe("refuse if anybody owns it, even you"),
  }),
  output: z.strictObject({ ...mutation, previous_owner: z.string().optional() }),
  async run({ ref, force, if_unowned }, { scope, call, actor }) {
    if (force === true && if_unowned === true)
      throw new ToolError("invalid arguments: force and if_unowned exclude each other");
    const { project, params } = await scope.issue(ref);
    const answer = await call(claimIssue, { params, body: { force, if_unowned, actor } });
    const { previous_owner } = answer;
    return {
      ...(await writtenOf(project, answer, scope)),
      ...(previous_owner === undefined ? {} : { previous_owner }),
    };
  },
});
