import { z } from "zod";
import { resumeExternalRootBridge } from "../../../contract/bridges.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { BridgeOutput, bridgeOf } from "./bridge-output.ts";

export const bridgeResume = tool({
  name: "svc.bridge_resume",
  title: "Resume bridge",
  description: "Carries changes over a paused bridge again.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({ ref: inputs.ref }),
  output: BridgeOutput,
  async run({ ref }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    const body = { actor };
    return { project, bridge: bridgeOf(await call(resumeExternalRootBridge, { params, body })) };
  },
});
