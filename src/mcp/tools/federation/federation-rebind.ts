import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const federationRebind = tool({
  name: "svc.federation_rebind",
  title: "Rebind replica",
  description:
    "Connects a copy of a project to the daemon that owns it (its hub) again. Needs a server with --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    project: inputs.project,
    hub_catalog: z.string().min(1).max(256).describe("name of the hub in the configuration"),
  }),
  output: z.strictObject({
    result: z.record(z.string(), z.unknown()),
  }),
  async run({ project }, { scope }) {
    scope.requireAll("svc.federation_rebind");
    await scope.project(project);
    notAvailable("svc.federation_rebind");
  },
});
