import { z } from "zod";
import { resolveExternalField } from "../../../contract/bridges.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import * as bridges from "./bridge-inputs.ts";
import { BridgeOutput, bridgeOf } from "./bridge-output.ts";

export const bridgeResolveField = tool({
  name: "svc.bridge_resolve_field",
  title: "Resolve field",
  description:
    "Decides which value holds for a field in conflict; svc.bridge_show has both values.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    ref: inputs.ref,
    svc_field: bridges.svcField,
    use: z.enum(["local", "external"]).describe("local: the value here, external: the value there"),
  }),
  output: BridgeOutput,
  async run({ ref, svc_field: field, use }, { scope, call, actor }) {
    const { project, params } = await scope.issue(ref);
    const body = { field, use, actor };
    return { project, bridge: bridgeOf(await call(resolveExternalField, { params, body })) };
  },
});
