import type { Instant } from "../base/clock.ts";
import { resolvePlanningDate, zoneOf } from "./dates.ts";
import type { IssueRow } from "./state.ts";

export type DateField = "scheduled_on" | "deadline_on";

/** Where dates without a zone of their own are read; a series has one for its scheduled dates (doc 2, rule 12). */
export interface Zones {
  readonly daemon: string;
  readonly recurrence?: string | undefined;
}

export interface PlannedDate {
  /** As it was written. */
  readonly value: string;
  readonly zone: string;
  readonly at: Instant;
}

/** A date of an issue as an instant. What may not be written may still be stored; such a date never comes. */
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
