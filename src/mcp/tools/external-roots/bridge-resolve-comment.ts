import { z } from "zod";
import { resolveExternalComment } from "../../../contract/bridges.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";
import { BridgeOutput, bridgeOf } from "./bridge-output.ts";

export const bridgeResolveComment = tool({
  name: "svc.bridge_resolve_comment",
  title: "Resolve comment",
  description: "Decides what becomes of a comment of which it is unknown whether it was sent.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    ref: inputs.ref,
    action: z
      .enum(["adopt", "retry", "skip"])
      .describe("adopt: it is there already, retry: send it again, skip: do not send it"),
    external_comment_id: z.string().min(1).optional().describe("adopt: id of the comment there"),
  }),
  output: BridgeOutput,
  async run({ ref, action, external_comment_id }, { scope, call, actor }) {
    if ((action === "adopt") !== (external_comment_id !== undefined))
      throw new ToolError("invalid arguments: external_comment_id: adopt alone needs it");
    const { project, params } = await scope.issue(ref);
    const named = external_comment_id === undefined ? {} : { external_comment_id };
    const body = { action, ...named, actor };
    return { project, bridge: bridgeOf(await call(resolveExternalComment, { params, body })) };
  },
});
