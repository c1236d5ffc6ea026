import type { JsonObject } from "../base/json.ts";
import { EVENT_KINDS, type EventKind } from "../contract/event-kinds.ts";
import { nativeParentOf } from "../domain/cron/native.ts";
import { measuresOf, RUN_STATUSES } from "../domain/cron/run.ts";
import type { SnapshotRows } from "../store/whole.ts";
import { definitionOut, readDefinition } from "./definition-record.ts";
import type { ArchivedTable, JsonOut, Kind, ReadRow, Refs, Uids } from "./kind.ts";
import type { ObjectReader } from "./object-reader.ts";
import { readPurge } from "./purge-record.ts";

/** The kinds of records that tables exist for, in the order of the file (facts cli-and-config 6.1). */
export const KINDS: { readonly [T in ArchivedTable]: Kind<T> } = {
  project: {
    kind: "project",
    table: "project",
    out: ({ id, uid, name, created_at, deleted_at, metadata, revision }) => ({
      id,
      uid,
      name,
      created_at,
      deleted_at,
      metadata,
      revision,
    }),
    in: (read) => ({
      id: read.integer("id", 1),
      uid: read.uid("uid"),
      name: read.text("name"),
      created_at: read.instant("created_at"),
      deleted_at: read.optionalInstant("deleted_at") ?? null,
      metadata: read.object("metadata"),
      revision: read.integer("revision", 1),
    }),
  },
  alias: {
    kind: "project_alias",
    table: "alias",
    out: ({ id, project_uid, alias_identity, alias_kind, created_at }, { projectIds }) => ({
      id,
      project_id: projectIds.get(project_uid),
      alias_identity,
      alias_kind,
      created_at,
    }),
    in: (read, uids) => ({
      id: read.integer("id", 1),
      project_uid: uids.project(read.integer("project_id", 1)),
      alias_identity: read.text("alias_identity"),
      alias_kind: read.oneOf("alias_kind", ["git", "local"]),
      created_at: read.instant("created_at"),
    }),
  },
  issue: {
    kind: "issue",
    table: "issue",
    out: (row, { projectIds, recurrenceIds }) => ({
      id: row.id,
      uid: row.uid,
      project_id: projectIds.get(row.project_uid),
      short_id: row.short_id,
      title: row.title,
      body: row.body,
      status: row.status,
      closed_reason: row.closed_reason,
      owner: row.owner,
      priority: row.priority,
      author: row.author,
      created_at: row.created_at,
      updated_at: row.updated_at,
      closed_at: row.closed_at,
      deleted_at: row.deleted_at,
      metadata: row.metadata,
      revision: row.revision,
      recurrence_id: recurrenceIds.get(row.recurrence_uid ?? ""),
      recurrence_uid: row.recurrence_uid,
      occurrence_key: row.occurrence_key,
    }),
    in: (read, uids) => ({
      id: read.integer("id", 1),
      uid: read.uid("uid"),
      project_uid: uids.project(read.integer("project_id", 1)),
      short_id: read.text("short_id"),
      title: read.text("title"),
      body: read.text("body"),
      status: read.oneOf("status", ["open", "closed"]),
      closed_reason: read.optionalText("closed_reason") ?? null,
      owner: read.optionalText("owner") ?? null,
      priority: read.optionalInteger("priority", 0) ?? null,
      author: read.text("author"),
      created_at: read.instant("created_at"),
      updated_at: read.instant("updated_at"),
      closed_at: read.optionalInstant("closed_at") ?? null,
      deleted_at: read.optionalInstant("deleted_at") ?? null,
      metadata: read.object("metadata"),
      revision: read.integer("revision", 1),
      recurrence_uid: readSeries(read, uids),
      occurrence_key: read.optionalText("occurrence_key") ?? null,
    }),
  },
  recurrence: {
    kind: "recurrence",
    table: "recurrence",
    out: (row, { projectIds }) => ({
      id: row.id,
      uid: row.uid,
      project_id: projectIds.get(row.project_uid),
      rrule: row.rrule,
      dtstart: row.dtstart,
      timezone: row.timezone,
      template_title: row.template_title,
      template_body: row.template_body,
      template_owner: row.template_owner,
      template_priority: row.template_priority,
      template_labels: row.template_labels,
      template_metadata: row.template_metadata,
      next_occurrence_key: row.next_occurrence_key,
      last_materialized_uid: row.last_materialized_uid,
      author: row.author,
      revision: row.revision,
      created_at: row.created_at,
      updated_at: row.updated_at,
      deleted_at: row.deleted_at,
    }),
    in: (read, uids) => ({
      id: read.integer("id", 1),
      uid: read.uid("uid"),
      project_uid: uids.project(read.integer("project_id", 1)),
      rrule: read.text("rrule"),
      dtstart: read.text("dtstart"),
      timezone: read.text("timezone"),
      template_title: read.text("template_title"),
      template_body: read.text("template_body"),
      template_owner: read.optionalText("template_owner") ?? null,
      template_priority: read.optionalInteger("template_priority", 0) ?? null,
      template_labels: read.texts("template_labels"),
      template_metadata: read.object("template_metadata"),
      next_occurrence_key: read.optionalText("next_occurrence_key") ?? null,
      last_materialized_uid: read.optionalUid("last_materialized_uid") ?? null,
      author: read.text("author"),
      revision: read.integer("revision", 1),
      created_at: read.instant("created_at"),
      updated_at: read.instant("updated_at"),
      deleted_at: read.optionalInstant("deleted_at") ?? null,
    }),
  },
  comment: {
    kind: "comment",
    table: "comment",
    out: ({ id, uid, issue_uid, author, body, created_at, teammate }, { issueIds }) => ({
      id,
      uid,
      issue_id: issueIds.get(issue_uid),
      author,
      body,
      created_at,
      teammate,
    }),
    in: (read, uids) => ({
      id: read.integer("id", 1),
      uid: read.uid("uid"),
      issue_uid: uids.issue(read.integer("issue_id", 1)),
      author: read.text("author"),
      body: read.text("body"),
      created_at: read.instant("created_at"),
      teammate: read.optionalText("teammate") ?? null,
    }),
  },
  label: {
    kind: "issue_label",
    table: "label",
    out: ({ issue_uid, label, author, created_at }, { issueIds }) => ({
      issue_id: issueIds.get(issue_uid),
      label,
      author,
      created_at,
    }),
    in: (read, uids) => ({
      issue_uid: uids.issue(read.integer("issue_id", 1)),
      label: read.text("label"),
      author: read.text("author"),
      created_at: read.instant("created_at"),
    }),
  },
  link: {
    kind: "link",
    table: "link",
    out: ({ id, from_uid, to_uid, type, author, created_at }, { issueIds }) => ({
      id,
      from_issue_id: issueIds.get(from_uid),
      from_issue_uid: from_uid,
      to_issue_id: issueIds.get(to_uid),
      to_issue_uid: to_uid,
      type,
      author,
      created_at,
    }),
    in: (read) => {
      // Older files name the project too; the issues say it already.
      for (const name of ["from_issue_id", "to_issue_id", "project_id"])
        read.optionalInteger(name, 1);
      return {
        id: read.integer("id", 1),
        from_uid: read.uid("from_issue_uid"),
        to_uid: read.uid("to_issue_uid"),
        type: read.oneOf("type", ["parent", "blocks", "related"]),
        author: read.text("author"),
        created_at: read.instant("created_at"),
      };
    },
  },
  lease: {
    kind: "issue_claim",
    table: "lease",
    out: ({ issue_uid, ...row }, { issueIds, issueProjects, projectIds }) => ({
      id: row.id,
      claim_uid: row.claim_uid,
      project_id: projectIds.get(issueProjects.get(issue_uid) ?? ""),
      issue_id: issueIds.get(issue_uid),
      issue_uid,
      holder: row.holder,
      holder_instance_uid: row.holder_instance_uid,
      client_kind: row.client_kind,
      purpose: row.purpose,
      claim_kind: row.claim_kind,
      fence: row.fence,
      acquired_at: row.acquired_at,
      expires_at: row.expires_at,
      released_at: row.released_at,
      release_reason: row.release_reason,
      revision: row.revision,
      updated_at: row.updated_at,
    }),
    in: (read) => {
      for (const name of ["project_id", "issue_id"]) read.optionalInteger(name, 1);
      return {
        id: read.integer("id", 1),
        claim_uid: read.uid("claim_uid"),
        issue_uid: read.uid("issue_uid"),
        holder: read.text("holder"),
        holder_instance_uid: read.uid("holder_instance_uid"),
        client_kind: read.text("client_kind"),
        purpose: read.text("purpose"),
        claim_kind: read.oneOf("claim_kind", ["hard", "timed"]),
        // A file of another origin numbers no leases: then this is the first.
        fence: read.optionalInteger("fence", 1) ?? 1,
        acquired_at: read.instant("acquired_at"),
        expires_at: read.optionalInstant("expires_at") ?? null,
        released_at: read.optionalInstant("released_at") ?? null,
        release_reason: read.optionalText("release_reason") ?? null,
        revision: read.integer("revision", 1),
        updated_at: read.instant("updated_at"),
      };
    },
  },
  cron_jobs: {
    kind: "cron_job",
    table: "cron_jobs",
    out: definitionOut,
    in: (read, uids) => {
      const row = readDefinition(read, uids);
      return { ...row, parent_uid: nativeParentOf(row.definition) };
    },
  },
  cron_workflows: {
    kind: "cron_workflow",
    table: "cron_workflows",
    out: definitionOut,
    in: readDefinition,
  },
  cron_runs: {
    kind: "cron_run",
    table: "cron_runs",
    out: ({ project_uid, ...row }, { projectIds }) => ({
      id: row.id,
      uid: row.uid,
      project_id: projectIds.get(project_uid),
      job_uid: row.job_uid,
      definition_event_uid: row.definition_event_uid,
      workflow_uid: row.workflow_uid,
      workflow_definition_event_uid: row.workflow_definition_event_uid,
      occurrence_key: row.occurrence_key,
      issue_uid: row.issue_uid,
      actor: row.actor,
      teammate: row.teammate,
      executor_label: row.executor_label,
      status: row.status,
      summary: row.summary,
      revision: row.revision,
      created_at: row.created_at,
      started_at: row.started_at,
      ended_at: row.ended_at,
      updated_at: row.updated_at,
    }),
    in: (read, uids) => {
      const evidence = {
        summary: read.object("summary"),
        created_at: read.instant("created_at"),
        started_at: read.instantText("started_at") ?? null,
        ended_at: read.instantText("ended_at") ?? null,
      };
      return {
        id: read.integer("id", 1),
        uid: read.uid("uid"),
        project_uid: uids.project(read.integer("project_id", 1)),
        job_uid: read.optionalUid("job_uid") ?? null,
        definition_event_uid: read.optionalUid("definition_event_uid") ?? null,
        workflow_uid: read.optionalUid("workflow_uid") ?? null,
        workflow_definition_event_uid: read.optionalUid("workflow_definition_event_uid") ?? null,
        occurrence_key: read.optionalText("occurrence_key") ?? null,
        issue_uid: read.optionalUid("issue_uid") ?? null,
        actor: read.text("actor"),
        teammate: read.optionalText("teammate") ?? null,
        executor_label: read.optionalText("executor_label") ?? null,
        status: read.oneOf("status", RUN_STATUSES),
        revision: read.integer("revision", 1),
        updated_at: read.instant("updated_at"),
        ...evidence,
        ...measuresOf(evidence),
      };
    },
  },
  import: {
    kind: "import_mapping",
    table: "import",
    out: ({ project_uid, source, external_id, issue_uid, imported_at }, refs) => ({
      source,
      external_id,
      object_type: "issue",
      ...projectOf(refs, project_uid),
      issue_id: refs.issueIds.get(issue_uid),
      imported_at,
    }),
    in: (read, uids) => {
      // The table has no local id of its own; a file of another origin may bring one.
      read.optionalInteger("id", 1);
      read.oneOf("object_type", ["issue"]);
      return {
        source: read.text("source"),
        external_id: read.text("external_id"),
        project_uid: readProject(read, uids),
        issue_uid: uids.issue(read.integer("issue_id", 1)),
        imported_at: read.instant("imported_at"),
      };
    },
  },
  event: {
    kind: "event",
    table: "event",
    out: (row, refs) => ({
      id: row.id,
      uid: row.uid,
      origin_instance_uid: row.origin_instance_uid,
      project_id: refs.projectIds.get(homeOf(row, refs)),
      project_name: refs.projectNames.get(homeOf(row, refs)),
      // What was hashed, where the event is shown in another project.
      ...(homeOf(row, refs) === row.project_uid ? {} : { project_uid: row.project_uid }),
      issue_id: idOf(refs, row.issue_uid),
      issue_uid: row.issue_uid,
      related_issue_id: idOf(refs, row.related_issue_uid),
      related_issue_uid: row.related_issue_uid,
      type: row.type,
      actor: row.actor,
      payload: row.payload as JsonObject,
      hlc_physical_ms: row.hlc_physical_ms,
      hlc_counter: row.hlc_counter,
      content_hash: row.content_hash,
      created_at: row.created_at,
    }),
    in: (read, uids) => {
      // The uids beside them say the same, and hold where a purge took the row away.
      for (const name of ["issue_id", "related_issue_id"]) read.optionalInteger(name, 1);
      read.optionalText("project_name");
      const issueUid = read.optionalUid("issue_uid");
      const relatedUid = read.optionalUid("related_issue_uid");
      const feed = uids.project(read.integer("project_id", 1));
      const project = read.optionalUid("project_uid") ?? feed;
      return {
        id: read.integer("id", 1),
        uid: read.uid("uid"),
        origin_instance_uid: read.uid("origin_instance_uid"),
        project_uid: project,
        ...(project === feed ? {} : { feed_uid: feed }),
        ...(issueUid === undefined ? {} : { issue_uid: issueUid }),
        ...(relatedUid === undefined ? {} : { related_issue_uid: relatedUid }),
        type: read.oneOf("type", Object.keys(EVENT_KINDS) as EventKind[]),
        actor: read.text("actor"),
        payload: read.object("payload"),
        hlc_physical_ms: read.integer("hlc_physical_ms", 0),
        hlc_counter: read.integer("hlc_counter", 0),
        content_hash: read.text("content_hash"),
        created_at: read.instant("created_at"),
      } as ReadRow<"event">;
    },
  },
  purge_log: {
    kind: "purge_log",
    table: "purge_log",
    out: (row) => ({ ...row }),
    in: (read) => ({
      ...readPurge(read),
      purged_issue_id: read.integer("purged_issue_id", 1),
      issue_uid: read.uid("issue_uid"),
      short_id: read.text("short_id"),
      issue_title: read.text("issue_title"),
      issue_author: read.text("issue_author"),
    }),
  },
  project_purge_log: {
    kind: "project_purge_log",
    table: "project_purge_log",
    out: (row) => ({ ...row }),
    in: (read) => ({
      ...readPurge(read),
      issue_count: read.integer("issue_count", 0),
      alias_count: read.integer("alias_count", 0),
      claim_count: read.integer("claim_count", 0),
      pending_claim_request_count: read.integer("pending_claim_request_count", 0),
    }),
  },
};

/** The order in which tables are written and read (facts cli-and-config 6.1). */
export const TABLE_ORDER = [
  "project",
  "alias",
  "recurrence",
  "issue",
  "comment",
  "label",
  "link",
  "import",
  "lease",
  "cron_jobs",
  "cron_workflows",
  "cron_runs",
  "event",
  "purge_log",
  "project_purge_log",
] as const satisfies readonly ArchivedTable[];

/** The id beside the uid says the same; a file of another origin may have the id alone. */
function readSeries(read: ObjectReader, uids: Uids): string | null {
  const id = read.optionalInteger("recurrence_id", 1);
  const uid = read.optionalUid("recurrence_uid");
  return uid ?? (id === undefined ? null : uids.recurrence(id));
}

/** A project that is not in the file (it was purged, or is another than the one asked for) is named by its uid. */
function projectOf(refs: Refs, uid: string): JsonOut {
  return refs.projects.has(uid) ? { project_id: refs.projectIds.get(uid) } : { project_uid: uid };
}

function readProject(read: ObjectReader, uids: Uids): string {
  return read.optionalUid("project_uid") ?? uids.project(read.integer("project_id", 1));
}

/** The project of the file that shows the event: where it is shown, else where its issue went. */
function homeOf({ feed_uid, project_uid, issue_uid = "" }: SnapshotRows["event"], refs: Refs) {
  const feed = feed_uid ?? project_uid;
  return refs.projects.has(feed) ? feed : (refs.issueProjects.get(issue_uid) ?? feed);
}

function idOf(refs: Refs, uid: string | undefined): number | undefined {
  return uid === undefined ? undefined : refs.issueIds.get(uid);
}
