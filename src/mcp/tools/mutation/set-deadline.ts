import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { patchMetadata } from "../../patch-metadata.ts";
import { dateOrNone, dateText } from "../../planned.ts";
import { CHANGES, tool } from "../../tool.ts";

export const setDeadline = tool({
  name: "svc.set_deadline",
  title: "Set deadline",
  description: "Sets or clears the day or moment by which an issue is due.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    deadline: dateText.optional().describe("YYYY-MM-DD, YYYY-MM-DDTHH:MM or a UTC instant"),
    clear_deadline: z.literal(true).optional().describe("remove the date"),
    revision: inputs.revision,
  }),
  output: MutationOutput,
  async run({ ref, deadline, clear_deadline, revision }, context) {
    const deadline_on = dateOrNone("deadline", deadline, clear_deadline);
    return await patchMetadata(ref, { deadline_on }, revision, context);
  },
});
