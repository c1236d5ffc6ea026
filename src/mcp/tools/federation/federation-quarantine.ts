import { z } from "zod";
import { requireConfirmation } from "../../confirmed.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const federationQuarantine = tool({
  name: "svc.federation_quarantine",
  title: "Handle a quarantined batch",
  description: "Retries or skips a batch of changes from another daemon that could not be applied.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    project: inputs.project,
    id: z.int().min(1).describe("number of the batch"),
    action: z.enum(["retry", "skip"]).describe("skip leaves the batch out for good"),
    confirm: z
      .string()
      .describe("exactly RETRY FEDERATION BATCH <id> or SKIP FEDERATION BATCH <id>"),
    reason: inputs.reason.optional(),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    quarantine: z.record(z.string(), z.unknown()),
  }),
  async run({ project, id, action, confirm }, { scope }) {
    await scope.project(project);
    requireConfirmation(confirm, `${action.toUpperCase()} FEDERATION BATCH ${id}`);
    notAvailable("svc.federation_quarantine");
  },
});
