import { z } from "zod";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const bridgeBind = tool({
  name: "svc.bridge_bind",
  title: "Bind issue",
  description:
    "Connects an issue with one of another tracker; the connection is called a bridge. Needs a server with --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    ref: inputs.ref,
    connector: z.string().min(1).max(128).describe("name of the connector"),
    external: z.string().min(1).max(4096).describe("the issue there, by its id or address"),
    publish_comments: z.boolean().optional().describe("also send comments there"),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    bridge: z.record(z.string(), z.unknown()),
  }),
  async run({ ref }, { scope }) {
    scope.requireAll("svc.bridge_bind");
    await scope.issue(ref);
    notAvailable("svc.bridge_bind");
  },
});
