import type { SnapshotRows } from "../store/whole.ts";
import type { JsonOut, ReadRow, Refs, Uids } from "./kind.ts";
import type { ObjectReader } from "./object-reader.ts";

/** A job or a workflow as a line of the file. */
export function definitionOut(row: SnapshotRows["cron_workflows"], refs: Refs): JsonOut {
  return {
    id: row.id,
    uid: row.uid,
    project_id: refs.projectIds.get(row.project_uid),
    name: row.name,
    definition: row.definition,
    definition_event_uid: row.definition_event_uid,
    definition_hlc: row.definition_hlc,
    author: row.author,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: row.deleted_at,
  };
}

export function readDefinition(read: ObjectReader, uids: Uids): ReadRow<"cron_workflows"> {
  const hlc = read.inside("definition_hlc");
  hlc.integer("version", 1);
  return {
    id: read.integer("id", 1),
    uid: read.uid("uid"),
    project_uid: uids.project(read.integer("project_id", 1)),
    name: read.text("name"),
    definition: read.object("definition"),
    definition_event_uid: read.uid("definition_event_uid"),
    definition_hlc: {
      version: 1,
      physical_ms: hlc.integer("physical_ms", 0),
      counter: hlc.integer("counter", 0),
      origin_instance_uid: hlc.uid("origin_instance_uid"),
    },
    author: read.text("author"),
    revision: read.integer("revision", 1),
    created_at: read.instant("created_at"),
    updated_at: read.instant("updated_at"),
    deleted_at: read.optionalInstant("deleted_at") ?? null,
  };
}
