import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { MutationOutput } from "../../objects.ts";
import { patchMetadata } from "../../patch-metadata.ts";
import { CHANGES, tool } from "../../tool.ts";

export const setMetadata = tool({
  name: "svc.set_metadata",
  title: "Set metadata",
  description: "Sets keys of the metadata; null removes a key. someday: true parks the issue.",
  annotations: CHANGES,
  input: z.strictObject({
    ref: inputs.ref,
    patch: z.record(z.string(), z.unknown()).describe("keys with their values, null removes"),
    revision: inputs.revision,
  }),
  output: MutationOutput,
  async run({ ref, patch, revision }, context) {
    if (Object.keys(patch).length === 0)
      throw new ToolError("invalid arguments: patch: names no key");
    return await patchMetadata(ref, patch as JsonObject, revision, context);
  },
});
