import { z } from "zod";
import type { showRecurrence } from "../../../contract/recurrences.ts";
import type { Output } from "../../../contract/route.ts";
import { firstRows } from "../../budget.ts";
import { shortened } from "../../views.ts";

export const Recurrence = z.strictObject({
  uid: z.string(),
  rrule: z.string(),
  rrule_truncated: z.boolean().optional(),
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
  skips: z.string().optional(),
  author: z.string(),
  revision: z.int(),
});

/** The maximum number of bytes that an answer shows of the rule and of each text of the template. */
interface ShownBytes {
  readonly rule: number;
  readonly title: number;
  readonly body: number;
  readonly labels: number;
}

/** The limits for lists, and for the answer to a write. */
export const SHORT: ShownBytes = { rule: 300, title: 300, body: 300, labels: 300 };

/** The limits for a single series that the caller asked for. */
export const ALONE: ShownBytes = { rule: 2048, title: 2048, body: 2048, labels: 512 };

/**
 * Returns a series in the form for clients. `rrule_truncated` says that the rule was cut, and `truncated` that the
 * template was.
 */
export function recurrenceOf(row: Output<typeof showRecurrence>["recurrence"], shown: ShownBytes) {
  const { uid, dtstart, timezone, next_occurrence_key, author, revision } = row;
  const { template_title, template_body, template_owner, template_priority } = row;
  const rrule = shortened(row.rrule, shown.rule);
  const title = shortened(template_title, shown.title);
  const body = shortened(template_body, shown.body);
  const { length } = row.template_labels;
  const labels = firstRows(row.template_labels, { rows: length, bytes: shown.labels });
  const isCut =
    title !== template_title ||
    body !== template_body ||
    labels.length < length ||
    Object.keys(row.template_metadata).length > 0;
  return {
    uid,
    rrule,
    ...(rrule === row.rrule ? {} : { rrule_truncated: true }),
    dtstart,
    timezone,
    template: {
      title,
      ...(template_body === "" ? {} : { body }),
      ...(template_owner === undefined ? {} : { owner: template_owner }),
      ...(template_priority === undefined ? {} : { priority: template_priority }),
      labels: [...labels],
      ...(isCut ? { truncated: true } : {}),
    },
    ...(next_occurrence_key === null ? {} : { next_occurrence_key }),
    ...(row.skips === undefined ? {} : { skips: row.skips }),
    author,
    revision,
  };
}
