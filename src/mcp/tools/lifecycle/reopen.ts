import { z } from "zod";
import { reopenIssue } from "../../../contract/actions.ts";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

export const reopen = tool({
  name: "svc.reopen",
  title: "Reopen issue",
  description: "Reopens a closed issue.",
  annotations: CHANGES,
  input: z.strictObject({ ref: inputs.ref }),
  output: MutationOutput,
  async run({ ref }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    return await writtenOf(project, await call(reopenIssue, { params, body: { actor } }), scope);
  },
});
