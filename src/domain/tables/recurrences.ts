import { instant, integer, metadata, nullable, projectUid, text, texts, uid } from "./columns.ts";
import { table } from "./table.ts";

/**
 * A series of issues: closing one as done creates the next (docs/contract/cron-and-inbox.md#12-series). Deleted series
 * stay as tombstones.
 */
export const recurrence = table({
  folded: true,
  numbered: true,
  key: ["uid"],
  columns: {
    uid: uid(),
    project_uid: projectUid(),
    rrule: text(),
    dtstart: text(),
    timezone: text(),
    template_title: text(),
    template_body: text(),
    template_owner: nullable(text()),
    template_priority: nullable(integer(0)),
    template_labels: texts("the template of series {uid}"),
    template_metadata: metadata(),
    /** The day of the next issue; null at the end of the series. */
    next_occurrence_key: nullable(text()),
    last_materialized_uid: nullable(uid()),
    author: text(),
    revision: integer(1),
    created_at: instant(),
    updated_at: instant(),
    deleted_at: nullable(instant()),
  },
  belongs: { project: "project_uid" },
  undo: "facets",
  record: { kind: "recurrence" },
});
