import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { patchMetadata } from "../../patch-metadata.ts";
import { dateOrNone, dateText } from "../../planned.ts";
import { CHANGES, tool } from "../../tool.ts";

export const setSchedule = tool({
  name: "svc.set_schedule",
  title: "Set schedule",
  description: "Sets or clears the day or moment before which an issue is not ready.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    schedule: dateText.optional().describe("YYYY-MM-DD, YYYY-MM-DDTHH:MM or a UTC instant"),
    clear_schedule: z.literal(true).optional().describe("remove the date"),
    revision: inputs.revision,
  }),
  output: MutationOutput,
  async run({ ref, schedule, clear_schedule, revision }, context) {
    const scheduled_on = dateOrNone("schedule", schedule, clear_schedule);
    return await patchMetadata(ref, { scheduled_on }, revision, context);
  },
});
