import { z } from "zod";
import { unmapConnectorField } from "../../../contract/bridges.ts";
import { CHANGES, tool } from "../../tool.ts";
import * as bridges from "./bridge-inputs.ts";
import { MappingOutput, mappingOf } from "./bridge-output.ts";

export const connectorFieldUnmap = tool({
  name: "svc.connector_field_unmap",
  title: "Unmap field",
  description: "Stops keeping a date equal to a field there. Needs --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({ instance: bridges.instance, svc_field: bridges.svcField }),
  output: MappingOutput,
  async run({ instance, svc_field }, { scope, call }) {
    scope.requireAll("svc.connector_field_unmap");
    const request = { params: { instance, svc_field } };
    return { instance, mapping: mappingOf(await call(unmapConnectorField, request)) };
  },
});
