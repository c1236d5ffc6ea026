import { z } from "zod";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

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
  output: z.strictObject({
    project: ProjectIdentity,
    bridge: z.record(z.string(), z.unknown()),
  }),
  async run({ ref, action, external_comment_id }, { scope }) {
    if ((action === "adopt") !== (external_comment_id !== undefined))
      throw new ToolError("invalid arguments: external_comment_id: adopt alone needs it");
    await scope.issue(ref);
    notAvailable("svc.bridge_resolve_comment");
  },
});
