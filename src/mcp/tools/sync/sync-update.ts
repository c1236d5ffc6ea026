import { z } from "zod";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";
import { binding } from "./binding.ts";

export const syncUpdate = tool({
  name: "svc.sync_update",
  title: "Change sync",
  description:
    "Enables or disables the sync of a project with another tracker; enable needs a server with --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    project: inputs.ownProject,
    provider: z.literal("github").default("github").describe("the other tracker, default github"),
    action: z.enum(["enable", "disable"]).describe("enable needs config and an interval"),
    config: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("enable: settings for the other tracker"),
    interval: z.string().optional().describe("enable: how often, such as 15m"),
    interval_seconds: z.int().min(1).optional().describe("enable: how often, in seconds"),
  }),
  output: z.strictObject({
    ...binding,
  }),
  async run({ project, action, config, interval, interval_seconds }, { scope }) {
    if (action === "enable") {
      scope.requireAll("svc.sync_update with enable");
      if (config === undefined) throw new ToolError("invalid arguments: config: enable needs it");
      if ((interval === undefined) === (interval_seconds === undefined))
        throw new ToolError("invalid arguments: give either interval or interval_seconds");
    }
    const settings = [config, interval, interval_seconds];
    if (action === "disable" && settings.some((value) => value !== undefined))
      throw new ToolError("invalid arguments: disable takes no config and no interval");
    await scope.project(project);
    notAvailable("svc.sync_update");
  },
});
