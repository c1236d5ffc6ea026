import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";
import { binding } from "./binding.ts";

export const syncStatus = tool({
  name: "svc.sync_status",
  title: "Sync status",
  description: "How the sync of a project with another tracker stands.",
  hints: "+-++",
  input: z.strictObject({
    project: inputs.project.optional(),
    provider: z.literal("github").default("github").describe("default github"),
  }),
  output: z.strictObject({
    ...binding,
  }),
  async run({ project }, { scope }) {
    await scope.project(project);
    notAvailable("svc.sync_status");
  },
});
