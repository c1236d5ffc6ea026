import { z } from "zod";
import { listConnectorFields } from "../../../contract/bridges.ts";
import { READS, tool } from "../../tool.ts";
import { instance } from "./bridge-inputs.ts";
import { fieldsOf, Row } from "./bridge-output.ts";

export const connectorFields = tool({
  name: "svc.connector_fields",
  title: "Fields of a connector",
  description: "The date fields of the other tracker, and which are mapped. Needs --all-projects.",
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({ instance }),
  output: z.strictObject({
    instance: z.string(),
    fields: z.array(Row),
    mappings: z.array(Row),
    truncated: z.boolean(),
  }),
  async run({ instance: named }, { scope, call }) {
    scope.requireAll("svc.connector_fields");
    const params = { instance: named };
    return { instance: named, ...fieldsOf(await call(listConnectorFields, { params })) };
  },
});
