import { z } from "zod";
import { reconcileExternalRootBridge } from "../../../contract/bridges.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { bridgeOf, Row } from "./bridge-output.ts";

export const bridgeReconcile = tool({
  name: "svc.bridge_reconcile",
  title: "Reconcile bridge",
  description: "Compares an issue with the one it is connected with now, and carries changes over.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({ ref: inputs.ref }),
  output: z.strictObject({
    project: ProjectIdentity,
    result: z.strictObject({
      bridge: Row,
      root_updated: z.boolean(),
      comments_created: z.int(),
      comments_edited: z.int(),
      field_conflicts: z.int(),
      completion_requests: z.int(),
      reopen_requests: z.int(),
      paused: z.boolean(),
    }),
  }),
  async run({ ref }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    const body = { actor };
    const run = await call(reconcileExternalRootBridge, { params, body });
    return { project, result: { ...run, bridge: bridgeOf(run.bridge) } };
  },
});
