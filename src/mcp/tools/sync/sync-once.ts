import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";
import { binding } from "./binding.ts";

export const syncOnce = tool({
  name: "svc.sync_once",
  title: "Sync now",
  description: "Reads what changed in the other tracker, now and once.",
  annotations: { ...CHANGES, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    project: inputs.ownProject,
    provider: z.literal("github").default("github").describe("the other tracker, default github"),
  }),
  output: z.strictObject({
    ...binding,
    import: z.record(z.string(), z.unknown()),
  }),
  async run({ project }, { scope }) {
    await scope.project(project);
    notAvailable("svc.sync_once");
  },
});
