import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { READS, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const bridgeShow = tool({
  name: "svc.bridge_show",
  title: "Show bridge",
  description: "How an issue is connected with one of another tracker (its bridge).",
  annotations: READS,
  input: z.strictObject({
    ref: inputs.ref,
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    bridge: z.record(z.string(), z.unknown()),
  }),
  async run({ ref }, { scope }) {
    await scope.issue(ref);
    notAvailable("svc.bridge_show");
  },
});
