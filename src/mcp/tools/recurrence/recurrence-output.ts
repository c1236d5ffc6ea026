import { z } from "zod";
import type { showRecurrence } from "../../../contract/recurrences.ts";
import type { Output } from "../../../contract/route.ts";
import { shortened } from "../../views.ts";

export const Recurrence = z.strictObject({
  uid: z.string(),
  rrule: z.string(),
  dtstart: z.string(),
  timezone: z.string(),
  template: z.strictObject({
    title: z.string(),
    body: z.string().optional(),
    owner: z.string().optional(),
    priority: z.int().optional(),
    labels: z.array(z.string()),
    truncated: z.boolean().optional(),
  }),
  next_occurrence_key: z.string().optional(),
  author: z.string(),
  revision: z.int(),
});

const TITLE_BYTES = 300;
const BODY_BYTES = 300;
const MAX_LABELS = 10;

/** Returns a series with the texts of its template cut. */
export function recurrenceOf(row: Output<typeof showRecurrence>["recurrence"]) {
  const { uid, rrule, dtstart, timezone, next_occurrence_key, author, revision } = row;
  const { template_title, template_body, template_owner, template_priority } = row;
  const isCut =
    shortened(template_title, TITLE_BYTES) !== template_title ||
    shortened(template_body, BODY_BYTES) !== template_body ||
    row.template_labels.length > MAX_LABELS ||
    Object.keys(row.template_metadata).length > 0;
  return {
    uid,
    rrule: shortened(rrule, BODY_BYTES),
    dtstart,
    timezone,
    template: {
      title: shortened(template_title, TITLE_BYTES),
      ...(template_body === "" ? {} : { body: shortened(template_body, BODY_BYTES) }),
      ...(template_owner === undefined ? {} : { owner: template_owner }),
      ...(template_priority === undefined ? {} : { priority: template_priority }),
      labels: row.template_labels.slice(0, MAX_LABELS),
      ...(isCut ? { truncated: true } : {}),
    },
    ...(next_occurrence_key === null ? {} : { next_occurrence_key }),
    author,
    revision,
  };
}
