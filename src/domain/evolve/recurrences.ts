import type { Payload, StoredEvent } from "../../contract/events.ts";
import type { Change, IssueRow, RecurrenceRow, State } from "../state.ts";
import { type Evolver, later } from "./evolver.ts";

/**
 * Creates a series of issues (docs/contract/cron-and-inbox.md#12-series). Events of a series contain the next day as it
 * was computed from the rule when they were written, so that every daemon folds a log to the same rows. They have no
 * `issue_uid`, because issues may be purged while the series goes on.
 */
export const created: Evolver<"recurrence.created"> = {
  touches: ({ project_uid, payload: { recurrence_uid, initial_issue_uid } }) => ({
    projects: [project_uid],
    rows: { recurrence: [recurrence_uid] },
    ...(initial_issue_uid === undefined ? {} : { issues: [initial_issue_uid] }),
  }),
  evolve: (state, event) => {
    const { payload } = event;
    if (state.project(event.project_uid) === undefined) return [];
    const put: RecurrenceRow = {
      uid: payload.recurrence_uid,
      project_uid: event.project_uid,
      rrule: payload.rrule,
      dtstart: payload.dtstart,
      timezone: payload.timezone,
      template_title: payload.template_title,
      template_body: payload.template_body,
      template_owner: payload.template_owner ?? null,
      template_priority: payload.template_priority ?? null,
      template_labels: payload.template_labels,
      template_metadata: payload.template_metadata,
      next_occurrence_key: payload.next_occurrence_key,
      last_materialized_uid: payload.initial_issue_uid ?? null,
      author: event.actor,
      revision: 1,
      created_at: event.created_at,
      updated_at: event.created_at,
      deleted_at: null,
    };
    return [{ table: "recurrence", put }, ...adoptIssue(state, payload)];
  },
};

/** Makes an existing issue the first of the series, if the event names one. */
function adoptIssue(
  state: State,
  { recurrence_uid, initial_issue_uid, occurrence_key }: Payload<"recurrence.created">,
): readonly Change[] {
  const issue = initial_issue_uid === undefined ? undefined : state.issue(initial_issue_uid);
  if (issue === undefined || occurrence_key === undefined) return [];
  const put: IssueRow = { ...issue, recurrence_uid, occurrence_key };
  return [{ table: "issue", put }];
}

export const updated = onRecurrence<"recurrence.updated">((row, { payload }) => ({
  ...row,
  ...Object.fromEntries(Object.entries(payload.diff).map(([field, { to }]) => [field, to ?? null])),
  revision: row.revision + 1,
  updated_at: later(row.updated_at, payload.updated_at),
}));

export const deleted = onRecurrence<"recurrence.deleted">((row, { payload }) => ({
  ...row,
  deleted_at: payload.deleted_at,
  revision: row.revision + 1,
  updated_at: later(row.updated_at, payload.deleted_at),
}));

export const materialized = onRecurrence<"recurrence.materialized">((row, { payload }) => ({
  ...row,
  next_occurrence_key: payload.next_occurrence_key,
  last_materialized_uid: payload.issue_uid,
  revision: row.revision + 1,
  updated_at: later(row.updated_at, payload.updated_at),
}));

/** Without `next_occurrence_key` the row does not change, since the series is already past the skipped day. */
export const skipped = onRecurrence<"recurrence.materialization_skipped">((row, { payload }) =>
  payload.next_occurrence_key === undefined
    ? row
    : {
        ...row,
        next_occurrence_key: payload.next_occurrence_key,
        revision: row.revision + 1,
        updated_at: later(row.updated_at, payload.updated_at),
      },
);

function onRecurrence<
  K extends
    | "recurrence.updated"
    | "recurrence.deleted"
    | "recurrence.materialized"
    | "recurrence.materialization_skipped",
>(change: (row: RecurrenceRow, event: StoredEvent<K>) => RecurrenceRow): Evolver<K> {
  return {
    touches: ({ payload }) => ({ rows: { recurrence: [payload.recurrence_uid] } }),
    evolve: (state, event) => {
      const row = state.recurrence(event.payload.recurrence_uid);
      const put = row === undefined ? undefined : change(row, event);
      return put === undefined || put === row ? [] : [{ table: "recurrence", put }];
    },
  };
}
