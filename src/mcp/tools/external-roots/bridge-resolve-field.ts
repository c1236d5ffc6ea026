import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const bridgeResolveField = tool({
  name: "svc.bridge_resolve_field",
  title: "Resolve field",
  description: "Decides which value holds for a field that was changed on both sides.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    ref: inputs.ref,
    svc_field: z.enum(["scheduled_on", "deadline_on"]).describe("date here"),
    use: z.enum(["local", "external"]).describe("local: the value here, external: the value there"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    bridge: z.record(z.string(), z.unknown()),
  }),
  async run({ ref }, { scope }) {
    await scope.issue(ref);
    notAvailable("svc.bridge_resolve_field");
  },
});
