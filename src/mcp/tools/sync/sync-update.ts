import { z } from "zod";
import { disableIssueSync, enableIssueSync } from "../../../contract/issue-sync.ts";
import type { Input } from "../../../contract/route.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { binding, bindingOf } from "./binding.ts";

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
  async run(input, { scope, call }) {
    const { action, provider } = input;
    requireMembers(input);
    if (action === "enable") scope.requireAll("svc.sync_update with enable");
    const project = await scope.project(input.project);
    const params = { project_id: project.id, provider };
    if (action === "disable")
      return { project, ...bindingOf(await call(disableIssueSync, { params, body: {} })) };
    const { interval, interval_seconds } = input;
    // The daemon checks the config, since its rules are those of the host.
    const config = input.config as Input<typeof enableIssueSync>["body"]["config"];
    const body = {
      config,
      ...(interval === undefined ? {} : { interval }),
      ...(interval_seconds === undefined ? {} : { interval_seconds }),
    };
    return { project, ...bindingOf(await call(enableIssueSync, { params, body })) };
  },
});

function requireMembers({
  action,
  config,
  interval,
  interval_seconds,
}: {
  readonly action: "enable" | "disable";
  readonly config?: object | undefined;
  readonly interval?: string | undefined;
  readonly interval_seconds?: number | undefined;
}): void {
  if (action === "disable") {
    if ([config, interval, interval_seconds].some((value) => value !== undefined))
      throw new ToolError("invalid arguments: disable takes no config and no interval");
    return;
  }
  if (config === undefined) throw new ToolError("invalid arguments: config: enable needs it");
  if ((interval === undefined) === (interval_seconds === undefined))
    throw new ToolError("invalid arguments: give either interval or interval_seconds");
}
