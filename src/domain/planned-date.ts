import type { Instant } from "../base/clock.ts";
import { resolvePlanningDate, zoneOf } from "./dates.ts";
import type { IssueRow } from "./state.ts";

export type DateField = "scheduled_on" | "deadline_on";

/**
 * The zones for dates without a zone. Scheduled dates of a series are in the zone of the series
 * (docs/contract/cron-and-inbox.md#11-planning-dates).
 */
export interface Zones {
  readonly daemon: string;
  readonly recurrence?: string | undefined;
}

export interface PlannedDate {
  /** The date as the client wrote it. */
  readonly value: string;
  readonly zone: string;
  readonly at: Instant;
}

/** Returns `undefined` if the stored value is no valid date. Such a date never comes due. */
export function plannedDate(
  { metadata }: Pick<IssueRow, "metadata">,
  field: DateField,
  zones: Zones,
): PlannedDate | undefined {
  const value = metadata[field];
  if (typeof value !== "string") return undefined;
  const series = field === "scheduled_on" ? zones.recurrence : undefined;
  const zone = zoneOf(value, metadata["timezone"], series ?? zones.daemon);
  const at = resolvePlanningDate(value, zone);
  return at === undefined ? undefined : { value, zone, at };
}
