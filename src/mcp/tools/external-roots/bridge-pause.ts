import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const bridgePause = tool({
  name: "svc.bridge_pause",
  title: "Pause bridge",
  description: "Stops carrying changes over a bridge until svc.bridge_resume.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    reason: z.string().max(4096).optional().describe("why"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    bridge: z.record(z.string(), z.unknown()),
  }),
  async run({ ref }, { scope }) {
    await scope.issue(ref);
    notAvailable("svc.bridge_pause");
  },
});
