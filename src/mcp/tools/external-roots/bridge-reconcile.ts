import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const bridgeReconcile = tool({
  name: "svc.bridge_reconcile",
  title: "Reconcile bridge",
  description: "Compares an issue with the one it is connected with now, and carries changes over.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    ref: inputs.ref,
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    result: z.strictObject({
      bridge: z.record(z.string(), z.unknown()),
      root_updated: z.boolean(),
      comments_created: z.int(),
      comments_edited: z.int(),
      field_conflicts: z.int(),
      completion_requests: z.int(),
      reopen_requests: z.int(),
      paused: z.boolean(),
    }),
  }),
  async run({ ref }, { scope }) {
    await scope.issue(ref);
    notAvailable("svc.bridge_reconcile");
  },
});
