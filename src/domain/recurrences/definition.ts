import { isDotSegment } from "../../base/dot-segment.ts";
import type { JsonValue } from "../../base/json.ts";
import { invalidField, type SvcError } from "../../contract/errors.ts";
import { LABEL } from "../../contract/label.ts";
import type { patchRecurrence } from "../../contract/recurrences.ts";
import type { Input } from "../../contract/route.ts";
import { isIanaZone, parsePlanningDate } from "../dates.ts";
import { checkNewMetadata, type Diff, diffOf } from "../metadata.ts";
import type { RecurrenceRow } from "../state.ts";
import { parseRule } from "./rule.ts";

/** The fields from which the days of a series are computed. */
export type Timing = Pick<RecurrenceRow, "rrule" | "dtstart" | "timezone">;

export type Template = Pick<
  RecurrenceRow,
  | "template_title"
  | "template_body"
  | "template_owner"
  | "template_priority"
  | "template_labels"
  | "template_metadata"
>;

/** The changed fields of a template. An empty `owner` removes the owner. */
export type TemplateFields = Partial<
  NonNullable<Input<typeof patchRecurrence>["body"]["template"]>
>;

const FIRST_DAY = "1970-01-01"; // svc's own limit, to avoid a search through the days of many centuries

/**
 * Checks the rule, first day and zone of a series, and returns them with the rule in its stored form
 * (docs/contract/http-api.md#67-series).
 */
export function checkedTiming({ rrule, dtstart, timezone }: Timing): Timing {
  const rule = parseRule(rrule);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(dtstart) || parsePlanningDate(dtstart) === undefined)
    throw invalidField("dtstart", "must be a day, YYYY-MM-DD");
  if (dtstart < FIRST_DAY) throw invalidField("dtstart", `must not be before ${FIRST_DAY}`);
  if (!isIanaZone(timezone)) throw invalidField("timezone", "must be an IANA time zone");
  return { rrule: rule.text, dtstart, timezone };
}

export function noDay(): SvcError {
  return invalidField("rrule", "gives no day from dtstart on");
}

export function newTemplate(fields: TemplateFields & { readonly title: string }): Template {
  return changedTemplate(
    {
      template_title: fields.title,
      template_body: "",
      template_owner: null,
      template_priority: null,
      template_labels: [],
      template_metadata: {},
    },
    fields,
  );
}

/** Applies changes to the template; labels and metadata are replaced as a whole. */
export function changedTemplate(template: Template, fields: TemplateFields): Template {
  const { title, body, owner, priority, labels, metadata, clear_owner, clear_priority } = fields;
  if (clear_owner === true && owner !== undefined && owner !== "")
    throw invalidField("template.clear_owner", "excludes owner");
  if (clear_priority === true && priority !== undefined)
    throw invalidField("template.clear_priority", "excludes priority");
  if (metadata !== undefined) checkNewMetadata(metadata);
  const nobody = clear_owner === true || owner === "";
  return {
    template_title: title ?? template.template_title,
    template_body: body ?? template.template_body,
    template_owner: nobody ? null : (owner ?? template.template_owner),
    template_priority: clear_priority === true ? null : (priority ?? template.template_priority),
    template_labels: labels === undefined ? template.template_labels : checkedLabels(labels),
    template_metadata: metadata ?? template.template_metadata,
  };
}

function checkedLabels(labels: readonly string[]): readonly string[] {
  const normal = labels.map((label) => label.trim().toLowerCase());
  const bad = normal.find((label) => !LABEL.test(label) || isDotSegment(label));
  if (bad !== undefined)
    throw invalidField(
      "template.labels",
      `${JSON.stringify(bad)} is ${isDotSegment(bad) ? "not allowed" : "not 1 to 64 of a-z 0-9 . _ : -"}`,
    );
  return [...new Set(normal)].sort();
}

export function seriesDiff(
  before: RecurrenceRow,
  after: Timing & Template & Pick<RecurrenceRow, "next_occurrence_key">,
): Diff | undefined {
  const now = valuesOf(after);
  const old = valuesOf(before);
  return diffOf(
    Object.fromEntries([...old].filter(([field, value]) => now.has(field) && value !== null)),
    Object.fromEntries(now),
  );
}

function valuesOf(row: object): ReadonlyMap<string, JsonValue> {
  return new Map(Object.entries(row) as [string, JsonValue][]);
}
