import { z } from "zod";
import { READS, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const connectors = tool({
  name: "svc.connectors",
  title: "Connectors",
  description:
    "The connections to other trackers (connectors), or one of them. Needs a server with --all-projects.",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({
    instance: z.string().min(1).max(128).optional().describe("name of the connector"),
  }),
  output: z.strictObject({
    connectors: z.array(z.record(z.string(), z.unknown())),
  }),
  async run(_input, { scope }) {
    scope.requireAll("svc.connectors");
    notAvailable("svc.connectors");
  },
});
