import { z } from "zod";
import { MAX_CONNECTOR_INSTANCE } from "./limits.ts";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";

const route = routesOf("connectors");

/** One `[[connector]]` of the daemon's config.toml, as it answered just now. */
const Connector = component("Connector", () =>
  z.looseObject({
    instance_id: z.string().describe("its id in config.toml"),
    healthy: z.boolean().describe("whether it answered, as the connector that it was before"),
    connector_id: z.string().optional().describe("the name of the program, as it says itself"),
    display_name: z.string().optional(),
    protocol: z.string().optional(),
    account_identity: z
      .string()
      .optional()
      .describe(
        "a digest of the account in the other tracker: it changes when the account does, and names nobody",
      ),
    capabilities: z
      .array(z.string())
      .optional()
      .describe("what it can do: publish_comment, fields, conditional_fields"),
    health_error: z
      .string()
      .optional()
      .describe(
        "why it is not healthy: a fixed text, and the error code if the connector sent one",
      ),
  }),
);

export const listConnectors = route({
  id: "listConnectors",
  method: "GET",
  path: "/connectors",
  access: "connectors",
  pages: "none",
  lengthy: "unbounded",
  summary: "start each connector and list how they answer, by id (API 0.22.0)",
  response: component("ListConnectorsResponse", () =>
    z.looseObject({
      connectors: z.array(Connector()).describe("empty if config.toml has no [[connector]]"),
    }),
  ),
});

export const getConnectorStatus = route({
  id: "getConnectorStatus",
  method: "GET",
  path: "/connectors/{instance}",
  access: "connectors",
  pages: "none",
  lengthy: "unbounded",
  summary: "start a connector and say how it answers (API 0.22.0)",
  params: shape(() =>
    z.object({
      instance: z
        .string()
        .min(1)
        .max(MAX_CONNECTOR_INSTANCE)
        .describe("the id of a [[connector]] in config.toml"),
    }),
  ),
  response: Connector,
  errors: ["bridge_not_found"],
});
