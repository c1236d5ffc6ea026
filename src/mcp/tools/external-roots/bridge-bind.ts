import { z } from "zod";
import { bindExternalRoot } from "../../../contract/bridges.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import * as bridges from "./bridge-inputs.ts";
import { BridgeOutput, bridgeOf } from "./bridge-output.ts";

export const bridgeBind = tool({
  name: "svc.bridge_bind",
  title: "Bind issue",
  description:
    "Connects an issue with one of another tracker (a bridge), whose title and body it follows. Needs --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    ref: inputs.ref,
    connector: bridges.instance,
    external: bridges.text.min(1).describe("the issue there, by its id or address"),
    publish_comments: z.boolean().optional().describe("also send comments there"),
  }),
  output: BridgeOutput,
  async run({ ref, connector, external, publish_comments }, { scope, call, actor }) {
    scope.requireAll("svc.bridge_bind");
    const { project, params } = await scope.issue(ref);
    const body = {
      ...{ connector, external, actor },
      ...(publish_comments === undefined ? {} : { publish_comments }),
    };
    return { project, bridge: bridgeOf(await call(bindExternalRoot, { params, body })) };
  },
});
