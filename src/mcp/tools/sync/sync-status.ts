import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { READS, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";
import { binding } from "./binding.ts";

export const syncStatus = tool({
  name: "svc.sync_status",
  title: "Sync status",
  description: "Whether and how a project is kept in step with another tracker (sync).",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({
    project: inputs.ownProject,
    provider: z.literal("github").default("github").describe("the other tracker, default github"),
  }),
  output: z.strictObject({
    ...binding,
  }),
  async run({ project }, { scope }) {
    await scope.project(project);
    notAvailable("svc.sync_status");
  },
});
