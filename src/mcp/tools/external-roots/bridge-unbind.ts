import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const bridgeUnbind = tool({
  name: "svc.bridge_unbind",
  title: "Unbind issue",
  description: "Ends the connection with an issue of another tracker; both issues stay.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    bridge: z.record(z.string(), z.unknown()),
  }),
  async run({ ref }, { scope }) {
    await scope.issue(ref);
    notAvailable("svc.bridge_unbind");
  },
});
