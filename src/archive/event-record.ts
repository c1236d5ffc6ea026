import type { JsonObject } from "../base/json.ts";
import { EVENT_KINDS, type EventKind, isHidden } from "../contract/event-kinds.ts";
import type { AssignedIds, StoredEvent } from "../contract/events.ts";
import { feedOf } from "../domain/event-filter.ts";
import { SYSTEM_PROJECT_UID } from "../domain/tokens.ts";
import type { ObjectReader } from "../sources/files/object-reader.ts";
import type { RecordOut, Refs, Uids } from "./refs.ts";

export function eventOut(row: StoredEvent, refs: Refs): RecordOut {
  const home = homeOf(row, refs);
  return {
    id: row.id,
    uid: row.uid,
    origin_instance_uid: row.origin_instance_uid,
    project_id: refs.ids.project.get(home),
    project_name: refs.projectNames.get(home),
    // An import needs the uid of the event's own project to check the event's hash. It usually finds this uid by
    // `project_id`. Write the uid if the event is listed under another project, or if it belongs to the system project,
    // which has no local id.
    ...(home === row.project_uid && home !== SYSTEM_PROJECT_UID
      ? {}
      : { project_uid: row.project_uid }),
    issue_id: refs.ids.issue.get(row.issue_uid ?? ""),
    issue_uid: row.issue_uid,
    related_issue_id: refs.ids.issue.get(row.related_issue_uid ?? ""),
    related_issue_uid: row.related_issue_uid,
    type: row.type,
    actor: row.actor,
    payload: row.payload as JsonObject,
    hlc_physical_ms: row.hlc_physical_ms,
    hlc_counter: row.hlc_counter,
    content_hash: row.content_hash,
    created_at: row.created_at,
    chain: refs.wholeLog ? row.chain : undefined,
    assigned_ids: row.assigned_ids,
    hub_event_id: row.hub_event_id,
    local_actor: row.local_actor,
    skipped_at: row.skipped_at,
  };
}

/**
 * The uid of the project under which the export lists the event. This is the project whose feed shows the event. If the
 * export does not include that project, it is the current project of the event's issue.
 */
function homeOf(event: StoredEvent, refs: Refs): string {
  const feed = feedOf(event);
  return refs.projects.has(feed) ? feed : (refs.issueProjects.get(event.issue_uid ?? "") ?? feed);
}

export function readEvent(read: ObjectReader, uids: Uids): StoredEvent {
  // Check these fields, but do not use them: the uids of the event identify its issues and its project, even after a
  // purge.
  for (const name of ["issue_id", "related_issue_id"]) read.optionalInteger(name, 1);
  read.optionalText("project_name");
  const type = read.oneOf("type", Object.keys(EVENT_KINDS) as EventKind[]);
  const { feed, project, issueUid, relatedUid } = isHidden(type)
    ? systemPlace(read)
    : placeOf(read, uids);
  const assigned_ids = readAssignedIds(read);
  const hub_event_id = read.optionalInteger("hub_event_id", 1);
  const local_actor = read.optionalText("local_actor");
  const skipped_at = read.optionalInstant("skipped_at");
  return {
    id: read.integer("id", 1),
    uid: read.uid("uid"),
    origin_instance_uid: read.uid("origin_instance_uid"),
    project_uid: project,
    ...(project === feed ? {} : { feed_uid: feed }),
    ...(issueUid === undefined ? {} : { issue_uid: issueUid }),
    ...(relatedUid === undefined ? {} : { related_issue_uid: relatedUid }),
    type,
    actor: read.text("actor"),
    payload: read.object("payload"),
    hlc_physical_ms: read.integer("hlc_physical_ms", 0),
    hlc_counter: read.integer("hlc_counter", 0),
    content_hash: read.text("content_hash"),
    created_at: read.instant("created_at"),
    chain: read.optionalText("chain") ?? "",
    ...(assigned_ids === undefined ? {} : { assigned_ids }),
    ...(hub_event_id === undefined ? {} : { hub_event_id }),
    ...(local_actor === undefined ? {} : { local_actor }),
    ...(skipped_at === undefined ? {} : { skipped_at }),
  } as StoredEvent;
}

function readAssignedIds(read: ObjectReader): AssignedIds | undefined {
  if (!read.has("assigned_ids")) return undefined;
  const byIssue = read.inside("assigned_ids");
  return Object.fromEntries(
    Object.keys(read.object("assigned_ids")).map((issue) => {
      const byProject = byIssue.inside(issue);
      const projects = Object.keys(byIssue.object(issue));
      return [issue, Object.fromEntries(projects.map((uid) => [uid, byProject.text(uid)]))];
    }),
  );
}

interface Place {
  readonly feed: string;
  readonly project: string;
  readonly issueUid?: string | undefined;
  readonly relatedUid?: string | undefined;
}

function placeOf(read: ObjectReader, uids: Uids): Place {
  const feed = uids.project(read.integer("project_id", 1));
  return {
    feed,
    project: read.optionalUid("project_uid") ?? feed,
    issueUid: read.optionalUid("issue_uid"),
    relatedUid: read.optionalUid("related_issue_uid"),
  };
}

/**
 * Reads the project of an event about an API token, which clients never see. The project must be the system project,
 * because clients see the events of every other project. The event must name no issue, because the log of an issue
 * shows every event that names the issue.
 */
function systemPlace(read: ObjectReader): Place {
  const project = read.oneOf("project_uid", [SYSTEM_PROJECT_UID]);
  for (const name of ["issue_uid", "related_issue_uid"]) read.absent(name, "an event of a token");
  return { feed: project, project };
}
