import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const bridgeResume = tool({
  name: "svc.bridge_resume",
  title: "Resume bridge",
  description: "Carries changes over a paused bridge again.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    ref: inputs.ref,
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    bridge: z.record(z.string(), z.unknown()),
  }),
  async run({ ref }, { scope }) {
    await scope.issue(ref);
    notAvailable("svc.bridge_resume");
  },
});
