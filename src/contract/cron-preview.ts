import { z } from "zod";
import { JobDefinition } from "./cron-jobs.ts";
import { Held, previewRange, previewTimes } from "./cron-ledger.ts";
import { AS_SENT, RecordName } from "./cron-records.ts";
import { routesOf } from "./route.ts";
import { component } from "./shape.ts";

const route = routesOf("cron");

export const previewCronDefinition = route({
  id: "previewCronDefinition",
  method: "POST",
  path: "/projects/{project_id}/cron/preview",
  access: "read",
  local: true,
  summary:
    "check a definition as the creation of a job would, and list when that job would be due (API 0.15.0)",
  strict: AS_SENT,
  body: component("PreviewCronDefinitionRequest", () =>
    z.strictObject({ name: RecordName(), definition: JobDefinition(), ...previewRange() }),
  ),
  response: component("CronDefinitionPreview", () =>
    z.looseObject({
      job: z.looseObject({ name: z.string(), timezone: z.string(), held: Held() }),
      ...previewTimes(),
    }),
  ),
});
