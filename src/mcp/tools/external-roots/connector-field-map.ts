import { z } from "zod";
import { CHANGES, tool } from "../../tool.ts";
import { notAvailable } from "../../unavailable.ts";

export const connectorFieldMap = tool({
  name: "svc.connector_field_map",
  title: "Map field",
  description:
    "Maps a date here to a field of the other tracker. Needs a server with --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    instance: z.string().min(1).max(128).describe("name of the connector"),
    svc_field: z.enum(["scheduled_on", "deadline_on"]).describe("date here"),
    external_field: z.string().min(1).max(256).describe("name of the field there"),
  }),
  output: z.strictObject({
    instance: z.string(),
    mapping: z.record(z.string(), z.unknown()),
  }),
  async run(_input, { scope }) {
    scope.requireAll("svc.connector_field_map");
    notAvailable("svc.connector_field_map");
  },
});
