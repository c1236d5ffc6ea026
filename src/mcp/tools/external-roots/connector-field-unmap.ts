import { z } from "zod";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const connectorFieldUnmap = tool({
  name: "svc.connector_field_unmap",
  title: "Unmap field",
  description: "Removes the mapping of a date. Needs a server with --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    instance: z.string().min(1).max(128).describe("name of the connector"),
    svc_field: z.enum(["scheduled_on", "deadline_on"]).describe("date here"),
  }),
  output: z.strictObject({
    instance: z.string(),
    mapping: z.record(z.string(), z.unknown()),
  }),
  async run(_input, { scope }) {
    scope.requireAll("svc.connector_field_unmap");
    notAvailable("svc.connector_field_unmap");
  },
});
