import { z } from "zod";
import { MAX_ISSUE_LABELS, MAX_RULE_CHARACTERS } from "./limits.ts";
import { routesOf } from "./route.ts";
import { component, Nothing, shape } from "./shape.ts";
import {
  Actor,
  Body,
  IfMatch,
  Instant,
  IssueRef,
  Metadata,
  OwnerOrNone,
  Priority,
  ProjectId,
  Title,
} from "./values.ts";

/**
 * The routes for series of issues (docs/contract/cron-and-inbox.md#12-series and docs/contract/http-api.md#39-series).
 */
const route = routesOf("recurrences");

export const Recurrence = component("Recurrence", () =>
  z.looseObject({
    id: z.int(),
    uid: z.string(),
    project_id: z.int(),
    rrule: z.string(),
    dtstart: z.string().meta({ format: "date" }),
    timezone: z.string(),
    skips: z
      .string()
      .optional()
      .describe(
        "set if the rule skips months or years that do not have its day, and says which; for a monthly rule from a 31st the months without one",
      ),
    template_title: z.string(),
    template_body: z.string(),
    template_owner: z.string().optional(),
    template_priority: z.int().optional(),
    template_labels: z.array(z.string()),
    template_metadata: Metadata(),
    next_occurrence_key: z
      .string()
      .nullable()
      .describe("the day of the next issue; null if the rule gives no more days"),
    last_materialized_uid: z.string().optional(),
    author: z.string(),
    revision: z.int(),
    created_at: Instant(),
    updated_at: Instant(),
    deleted_at: Instant().optional(),
  }),
);

const Rule = shape(() =>
  z
    .string()
    .describe(
      `FREQ=DAILY, WEEKLY, MONTHLY or YEARLY with INTERVAL, COUNT or UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST; at most ${MAX_RULE_CHARACTERS} characters`,
    ),
);
const FirstDay = shape(() =>
  z
    .string()
    .describe(
      "YYYY-MM-DD, not before 1970-01-01; the first issue is for the first day of the rule on or after this day",
    ),
);
const Zone = shape(() => z.string().describe("IANA name of the zone in which days begin and end"));

const template = () => ({
  body: Body().optional(),
  owner: OwnerOrNone().optional(),
  priority: Priority().optional(),
  labels: z
    .array(z.string())
    .max(MAX_ISSUE_LABELS)
    .optional()
    .describe("labels are trimmed, lower-cased and deduplicated"),
  metadata: Metadata().optional().describe("scheduled_on and timezone are replaced for each issue"),
});

const TemplateInput = component("RecurrenceTemplate", () =>
  z.strictObject({ title: Title(), ...template() }),
);

const TemplateUpdate = component("RecurrenceTemplateUpdate", () =>
  z.strictObject({
    title: Title().optional(),
    ...template(),
    clear_owner: z.boolean().optional(),
    clear_priority: z.boolean().optional(),
  }),
);

const params = shape(() =>
  z.object({ project_id: ProjectId(), recurrence_uid: z.string().describe("uid of the series") }),
);
const ifMatch = shape(() => z.object({ "if-match": IfMatch() }));
const responseHeaders = { ETag: 'the revision of the series as "rev-N"' };
const one = component("RecurrenceResponse", () => z.looseObject({ recurrence: Recurrence() }));

export const listRecurrences = route({
  id: "listRecurrences",
  method: "GET",
  path: "/projects/{project_id}/recurrences",
  access: "read",
  local: true,
  summary: "list the series of a project, newest first",
  response: component("ListRecurrencesResponse", () =>
    z.looseObject({ recurrences: z.array(Recurrence()) }),
  ),
});

export const createRecurrence = route({
  id: "createRecurrence",
  method: "POST",
  path: "/projects/{project_id}/recurrences",
  access: "write",
  local: true,
  summary: "create a series; closing one of its issues as done creates the next",
  body: component("CreateRecurrenceRequest", () =>
    z.strictObject({
      rrule: Rule(),
      dtstart: FirstDay(),
      timezone: Zone(),
      template: TemplateInput(),
      initial_issue_ref: IssueRef()
        .optional()
        .describe(
          "an open issue that becomes the first of the series; without it the series creates no issues",
        ),
      actor: Actor(),
    }),
  ),
  response: one,
  responseHeaders,
  status: 201,
  errors: [
    "issue_not_found",
    "invalid_metadata_value",
    "conflict",
    "claim_denied",
    "claim_expired",
  ],
});

export const showRecurrence = route({
  id: "showRecurrence",
  method: "GET",
  path: "/projects/{project_id}/recurrences/{recurrence_uid}",
  access: "read",
  local: true,
  summary: "show a series",
  params,
  response: one,
  responseHeaders,
  errors: ["not_found"],
});

export const patchRecurrence = route({
  id: "patchRecurrence",
  method: "PATCH",
  path: "/projects/{project_id}/recurrences/{recurrence_uid}",
  access: "write",
  local: true,
  summary: "change the rule or the template of a series; If-Match is required",
  params,
  headers: ifMatch,
  body: component("PatchRecurrenceRequest", () =>
    z.strictObject({
      rrule: Rule().optional(),
      dtstart: FirstDay().optional(),
      timezone: Zone().optional(),
      template: TemplateUpdate().optional(),
      actor: Actor(),
    }),
  ),
  response: component("PatchRecurrenceResponse", () =>
    z.looseObject({ recurrence: Recurrence(), changed: z.boolean() }),
  ),
  responseHeaders,
  errors: ["not_found", "invalid_metadata_value", "revision_conflict"],
});

export const deleteRecurrence = route({
  id: "deleteRecurrence",
  method: "DELETE",
  path: "/projects/{project_id}/recurrences/{recurrence_uid}",
  access: "write",
  local: true,
  summary: "delete a series, keeping its issues; If-Match is required",
  params,
  query: shape(() => z.object({ actor: Actor() })),
  headers: ifMatch,
  response: Nothing,
  status: 204,
  errors: ["not_found", "revision_conflict"],
});
