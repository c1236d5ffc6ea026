import { z } from "zod";
import { getConnectorStatus, listConnectors } from "../../../contract/connectors.ts";
import { READS, tool } from "../../tool.ts";

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
  async run({ instance }, { scope, call }) {
    scope.requireAll("svc.connectors");
    if (instance === undefined) return await call(listConnectors, {});
    return { connectors: [await call(getConnectorStatus, { params: { instance } })] };
  },
});
