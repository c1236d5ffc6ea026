import { invariant } from "../../base/invariant.ts";
import type { EventDraft } from "../../contract/events.ts";
import { recurrenceUpdated } from "../../domain/drafts/recurrences.ts";
import { type RevertOf, type UndoContext, undoing } from "./undo-context.ts";

/**
 * Returns the event that sets the next day and the current issue of a series to what they would be without the undone
 * changes.
 */
export function seriesDraft(context: UndoContext, revert: RevertOf<"series">): EventDraft {
  const { plan } = context;
  const { uid } = revert.facet;
  const [series, target] = [plan.now.recurrence(uid), plan.without.recurrence(uid)];
  invariant(series !== undefined && target !== undefined, "a series outlives what its issues do");
  const changedColumn = <C extends "next_occurrence_key" | "last_materialized_uid">(name: C) =>
    series[name] === target[name] ? {} : { [name]: { from: series[name], to: target[name] } };
  const diff = {
    ...changedColumn("next_occurrence_key"),
    ...changedColumn("last_materialized_uid"),
  };
  return recurrenceUpdated(series, diff, undoing(context, [revert]));
}
