import { instantToMs } from "../../base/clock.ts";
import type { DateField, PlannedDate } from "../planned-date.ts";
import type { Schedule } from "./schedule.ts";
import type { Trigger } from "./trigger.ts";

/**
 * Which planning date fires this trigger; `undefined` for triggers that do not depend on a date
 * (docs/contract/cron-and-inbox.md#23-triggers).
 */
export function dateOfTrigger({ kind }: Trigger): DateField | undefined {
  if (kind === "issue-scheduled") return "scheduled_on";
  return kind === "issue-deadline" ? "deadline_on" : undefined;
}

/** The single due time of a one-time trigger: its own instant, or its issue's planning date minus the lead. */
export function onceOf(trigger: Trigger, date: PlannedDate | undefined): Schedule | undefined {
  if (trigger.kind === "once") return onceAt(instantToMs(trigger.at), trigger.timezone ?? "UTC");
  if (date === undefined || dateOfTrigger(trigger) === undefined) return undefined;
  const lead = trigger.kind === "issue-deadline" ? (trigger.lead_seconds ?? 0) : 0;
  return onceAt(instantToMs(date.at) - lead * 1000, date.zone);
}

function onceAt(at: number, zone: string): Schedule {
  return { zone, after: (ms) => (at > ms ? [at] : []) };
}
