import { z } from "zod";
import { addLabel, removeLabel } from "../../../contract/labels.ts";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { writtenOf } from "../../views.ts";

export const setLabel = tool({
  name: "svc.set_label",
  title: "Set label",
  description: "Adds or removes a label.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    label: inputs.label,
    present: z.boolean().describe("true adds it, false removes it"),
  }),
  output: MutationOutput,
  async run({ ref, label, present }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    const answer = present
      ? await call(addLabel, { params, body: { label, actor } })
      : await call(removeLabel, { params: { ...params, label }, query: { actor } });
    return await writtenOf(project, answer, scope);
  },
});
