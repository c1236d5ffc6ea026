import { SvcError } from "../../contract/errors.ts";
import type { issuePlanningDates as contract } from "../../contract/planning.ts";
import { resolvePlanningDate, zoneOf } from "../../domain/dates.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Op } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { seriesOf } from "../recurrences/find.ts";

/**
 * Returns the planning dates of an issue as instants (docs/contract/cron-and-inbox.md#11-planning-dates), whether due
 * or not.
 */
export const issuePlanningDates: Op<typeof contract, "store" | "settings"> = async (
  deps,
  _who,
  { params, query },
) =>
  await deps.store.read(async (reader) => {
    const { issue } = await requireIssue(reader, params, {
      deleted: query.include_deleted === true,
    });
    const { timezone } = deps.settings;
    const series = await seriesOf(reader, issue);
    return {
      project_id: issue.project_id,
      issue_uid: issue.uid,
      revision: issue.revision,
      scheduled_on: dateOf("scheduled_on", issue, series?.timezone ?? timezone),
      deadline_on: dateOf("deadline_on", issue, timezone),
    };
  });

/**
 * Returns a planning date as an instant; null if there is none. `zone` is the zone for a date that has none of its own.
 * Another version of svc may have stored an invalid date, which is reported as an error.
 */
function dateOf<F extends "scheduled_on" | "deadline_on">(
  field: F,
  { metadata }: StoredIssue,
  zone: string,
) {
  const { [field]: value, timezone: issueZone } = metadata;
  if (value === undefined || value === null) return null;
  const timezone = typeof value === "string" ? zoneOf(value, issueZone, zone) : zone;
  const instant = typeof value === "string" ? resolvePlanningDate(value, timezone) : undefined;
  if (typeof value !== "string" || instant === undefined) {
    const message = `${field}: what is stored is no planning date`;
    throw new SvcError("invalid_metadata_value", { key: field }, { message });
  }
  return { field, value, timezone, instant: value.includes(".") ? instant : toSeconds(instant) };
}

function toSeconds(instant: string): string {
  return instant.replace(".000Z", "Z");
}
