import { z } from "zod";
import { READS, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const connectorFields = tool({
  name: "svc.connector_fields",
  title: "Fields of a connector",
  description:
    "The fields of the other tracker, and to which fields here they are mapped. Needs a server with --all-projects.",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({
    instance: z.string().min(1).max(128).describe("name of the connector"),
  }),
  output: z.strictObject({
    instance: z.string(),
    fields: z.array(z.record(z.string(), z.unknown())),
  }),
  async run(_input, { scope }) {
    scope.requireAll("svc.connector_fields");
    notAvailable("svc.connector_fields");
  },
});
