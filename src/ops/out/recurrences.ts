import { skipsOf } from "../../domain/recurrences/skips.ts";
import type { StoredProject, StoredRecurrence } from "../../store/types/rows.ts";

/**
 * A series as answers show it. Absent fields are left out; `next_occurrence_key` is null once the rule has no further
 * day (docs/contract/http-api.md#30-shared-objects).
 */
export function recurrenceOut(row: StoredRecurrence, project: StoredProject) {
  const skips = skipsOf(row);
  return {
    id: row.id,
    uid: row.uid,
    project_id: project.id,
    rrule: row.rrule,
    dtstart: row.dtstart,
    timezone: row.timezone,
    ...(skips === undefined ? {} : { skips }),
    template_title: row.template_title,
    template_body: row.template_body,
    ...(row.template_owner === null ? {} : { template_owner: row.template_owner }),
    ...(row.template_priority === null ? {} : { template_priority: row.template_priority }),
    template_labels: [...row.template_labels],
    template_metadata: row.template_metadata,
    next_occurrence_key: row.next_occurrence_key,
    ...(row.last_materialized_uid === null
      ? {}
      : { last_materialized_uid: row.last_materialized_uid }),
    author: row.author,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(row.deleted_at === null ? {} : { deleted_at: row.deleted_at }),
  };
}
