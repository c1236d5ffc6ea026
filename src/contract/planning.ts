import { z } from "zod";
import { routesOf } from "./route.ts";
import { component, shape } from "./shape.ts";

const route = routesOf("issues");

const PlanningDate = component("PlanningDate", () =>
  z.looseObject({
    field: z.enum(["scheduled_on", "deadline_on"]),
    value: z.string().describe("the value as it was written"),
    timezone: z.string().describe("the zone in which the value is read"),
    instant: z.string().meta({ format: "date-time" }),
  }),
);

export const issuePlanningDates = route({
  id: "issuePlanningDates",
  method: "GET",
  path: "/projects/{project_id}/issues/{ref}/planning-dates",
  access: "read",
  local: true,
  summary: "show the planning dates of an issue as instants",
  query: shape(() => z.object({ include_deleted: z.boolean().optional() })),
  response: component("PlanningDates", () =>
    z.looseObject({
      project_id: z.int(),
      issue_uid: z.string(),
      revision: z.int(),
      scheduled_on: PlanningDate().nullable(),
      deadline_on: PlanningDate().nullable(),
    }),
  ),
  errors: ["invalid_metadata_value"],
});
