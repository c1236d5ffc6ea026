import { z } from "zod";
import { tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const connectorFieldUnmap = tool({
  name: "svc.connector_field_unmap",
  title: "Unmap field",
  description: "Removes a mapping. Needs all projects.",
  hints: "-+++",
  input: z.strictObject({
    instance: z.string().min(1).max(128).describe("name of the connector"),
    svc_field: z.enum(["scheduled_on", "deadline_on"]).describe("field here"),
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
