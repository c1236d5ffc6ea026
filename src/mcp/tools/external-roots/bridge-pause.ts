import { z } from "zod";
import { pauseExternalRootBridge } from "../../../contract/bridges.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import * as bridges from "./bridge-inputs.ts";
import { BridgeOutput, bridgeOf } from "./bridge-output.ts";

export const bridgePause = tool({
  name: "svc.bridge_pause",
  title: "Pause bridge",
  description: "Stops carrying changes over a bridge until svc.bridge_resume.",
  annotations: CHANGES,
  input: z.strictObject({ ref: inputs.ref, reason: bridges.text.optional().describe("why") }),
  output: BridgeOutput,
  async run({ ref, reason }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    const body = { actor, ...(reason === undefined ? {} : { reason }) };
    return { project, bridge: bridgeOf(await call(pauseExternalRootBridge, { params, body })) };
  },
});
