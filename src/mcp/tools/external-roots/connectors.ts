import { z } from "zod";
import { getConnectorStatus, listConnectors } from "../../../contract/connectors.ts";
import { READS, tool } from "../../tool.ts";
import { instance } from "./bridge-inputs.ts";

export const connectors = tool({
  name: "svc.connectors",
  title: "Connectors",
  description:
    "The connections to other trackers (connectors), or one of them. Needs --all-projects.",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({ instance: instance.optional() }),
  output: z.strictObject({
    connectors: z.array(z.record(z.string(), z.unknown())),
  }),
  async run({ instance: named }, { scope, call }) {
    scope.requireAll("svc.connectors");
    if (named === undefined) return await call(listConnectors, {});
    return { connectors: [await call(getConnectorStatus, { params: { instance: named } })] };
  },
});
