import { z } from "zod";
import { unbindExternalRoot } from "../../../contract/bridges.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { BridgeOutput, bridgeOf } from "./bridge-output.ts";

export const bridgeUnbind = tool({
  name: "svc.bridge_unbind",
  title: "Unbind issue",
  description: "Ends the connection with an issue of another tracker; both issues stay.",
  annotations: CHANGES,
  input: z.strictObject({ ref: inputs.ref }),
  output: BridgeOutput,
  async run({ ref }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    return {
      project,
      bridge: bridgeOf(await call(unbindExternalRoot, { params, query: { actor } })),
    };
  },
});
