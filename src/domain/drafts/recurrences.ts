import type { Diff } from "../metadata.ts";
import type { Template, Timing } from "../recurrences/definition.ts";
import type { RecurrenceRow } from "../state.ts";
import { type Act, projectEventDraft } from "./draft.ts";

/**
 * Events of a series name its issues only in `related_issue_uid`, because purging an issue deletes the events that have
 * it as `issue_uid`.
 */
type Series = Pick<RecurrenceRow, "uid" | "project_uid" | "revision">;

interface NewSeries extends Timing, Template, Pick<RecurrenceRow, "uid" | "project_uid"> {
  readonly next_occurrence_key: string | null;
  /** An existing issue that becomes the first of the series, and its day (`key`). */
  readonly initial?: { readonly uid: string; readonly key: string } | undefined;
}

export function recurrenceCreated({ uid, project_uid, initial, ...series }: NewSeries, act: Act) {
  const { rrule, dtstart, timezone, template_title, template_body, template_labels } = series;
  const { template_metadata, template_owner, template_priority, next_occurrence_key } = series;
  const draft = projectEventDraft("recurrence.created", project_uid, act, {
    recurrence_uid: uid,
    rrule,
    dtstart,
    timezone,
    template_title,
    template_body,
    template_metadata,
    template_labels: [...template_labels],
    ...(template_owner === null ? {} : { template_owner }),
    ...(template_priority === null ? {} : { template_priority }),
    next_occurrence_key,
    ...(initial === undefined
      ? {}
      : { initial_issue_uid: initial.uid, occurrence_key: initial.key }),
  });
  return initial === undefined ? draft : { ...draft, related_issue_uid: initial.uid };
}

export function recurrenceUpdated({ uid, project_uid, revision }: Series, diff: Diff, act: Act) {
  return projectEventDraft("recurrence.updated", project_uid, act, {
    recurrence_uid: uid,
    diff: { ...diff },
    revision_new: revision + 1,
    updated_at: act.now,
  });
}

export function recurrenceDeleted(
  { uid, project_uid }: Pick<Series, "uid" | "project_uid">,
  act: Act,
) {
  const payload = { recurrence_uid: uid, deleted_at: act.now };
  return projectEventDraft("recurrence.deleted", project_uid, act, payload);
}

/**
 * A day of a series and the issue of this day. `project_uid` is the project of the previous issue. A new issue is
 * created in the same project.
 */
interface Occurrence {
  readonly recurrence_uid: string;
  readonly project_uid: string;
  readonly key: string;
  readonly issue_uid: string;
  /**
   * The next day of the series, or `null` at its end. `undefined` only for a skipped day that the series has already
   * passed. The series then keeps its next day.
   */
  readonly next: string | null | undefined;
}

export function recurrenceMaterialized(
  { recurrence_uid, project_uid, key, issue_uid, next = null }: Occurrence,
  act: Act,
) {
  const payload = {
    recurrence_uid,
    occurrence_key: key,
    issue_uid,
    next_occurrence_key: next,
    updated_at: act.now,
  };
  return {
    ...projectEventDraft("recurrence.materialized", project_uid, act, payload),
    related_issue_uid: issue_uid,
  };
}

export function materializationSkipped(
  { recurrence_uid, project_uid, key, issue_uid, next }: Occurrence,
  act: Act,
) {
  const payload = {
    recurrence_uid,
    occurrence_key: key,
    existing_issue_uid: issue_uid,
    reason: "already_exists" as const,
    ...(next === undefined ? {} : { next_occurrence_key: next }),
    updated_at: act.now,
  };
  return {
    ...projectEventDraft("recurrence.materialization_skipped", project_uid, act, payload),
    related_issue_uid: issue_uid,
  };
}
