import { z } from "zod";
import { mapConnectorField } from "../../../contract/bridges.ts";
import { CHANGES, tool } from "../../tool.ts";
import * as bridges from "./bridge-inputs.ts";
import { MappingOutput, mappingOf } from "./bridge-output.ts";

export const connectorFieldMap = tool({
  name: "svc.connector_field_map",
  title: "Map field",
  description: "Keeps a date of issues equal to a field of the connector. Needs --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    instance: bridges.instance,
    svc_field: bridges.svcField,
    external_field: bridges.externalField,
  }),
  output: MappingOutput,
  async run({ instance, svc_field, external_field }, { scope, call }) {
    scope.requireAll("svc.connector_field_map");
    const request = { params: { instance, svc_field }, body: { external_field } };
    return { instance, mapping: mappingOf(await call(mapConnectorField, request)) };
  },
});
