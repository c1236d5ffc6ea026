import type { ObjectReader } from "./object-reader.ts";

/** What the records of a purged issue and of a purged project have in common. */
export function readPurge(read: ObjectReader) {
  return {
    id: read.integer("id", 1),
    uid: read.uid("uid"),
    origin_instance_uid: read.uid("origin_instance_uid"),
    project_id: read.integer("project_id", 1),
    project_uid: read.uid("project_uid"),
    project_name: read.text("project_name"),
    comment_count: read.integer("comment_count", 0),
    link_count: read.integer("link_count", 0),
    label_count: read.integer("label_count", 0),
    event_count: read.integer("event_count", 0),
    events_deleted_min_id: read.optionalInteger("events_deleted_min_id", 1) ?? null,
    events_deleted_max_id: read.optionalInteger("events_deleted_max_id", 1) ?? null,
    purge_reset_after_event_id: read.integer("purge_reset_after_event_id", 1),
    actor: read.text("actor"),
    reason: read.optionalText("reason") ?? null,
    purged_at: read.instant("purged_at"),
    spent_ids: read.optionalText("spent_ids") ?? "",
  };
}
