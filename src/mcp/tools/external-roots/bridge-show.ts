import { z } from "zod";
import { getExternalRootBridge } from "../../../contract/bridges.ts";
import * as inputs from "../../inputs.ts";
import { READS, tool } from "../../tool.ts";
import { BridgeOutput, bridgeOf } from "./bridge-output.ts";

export const bridgeShow = tool({
  name: "svc.bridge_show",
  title: "Show bridge",
  description: "How an issue is connected with one of another tracker (its bridge).",
  annotations: READS,
  input: z.strictObject({ ref: inputs.ref }),
  output: BridgeOutput,
  async run({ ref }, { scope, call }) {
    const { project, params } = await scope.issue(ref);
    return { project, bridge: bridgeOf(await call(getExternalRootBridge, { params })) };
  },
});
