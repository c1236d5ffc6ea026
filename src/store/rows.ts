import { type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import type { EventKind, StoredEvent } from "../contract/events.ts";
import type { CronDefinitionRow, CronJobRow, IssueRow, ProjectRow } from "../domain/state.ts";
import { damaged } from "./errors.ts";
import type { Selected } from "./schema.ts";
import type {
  Derived,
  StoredIssue,
  StoredProject,
  StoredRecurrence,
  StoredRun,
  WithId,
} from "./types.ts";

/** Rows as the tables hold them, turned into rows as the rest of the program knows them. */

const NO_METADATA: JsonObject = Object.freeze({});

/** `{}` is what most issues have. */
export function metadataOf(text: string): JsonObject {
  return text === "{}"
    ? NO_METADATA
    : (stored(text, "the metadata of an issue or project") as JsonObject);
}

/** JSON that svc wrote itself: where it is none, bytes of the file have changed. */
function stored(text: string, what: string): JsonValue {
  try {
    return parseJson(text);
  } catch (cause) {
    throw damaged(`${what} is not JSON`, cause);
  }
}

export function projectOf(row: Selected<"project">): StoredProject {
  return { id: row.id, ...projectRow(row) };
}

export function projectRow({
  uid,
  name,
  metadata,
  revision,
  created_at,
  deleted_at,
}: Selected<"project">): ProjectRow {
  return { uid, name, metadata: metadataOf(metadata), revision, created_at, deleted_at };
}

/** What an issue is read with of its project `p`. */
export const OF_PROJECT = [
  "p.id as project_id",
  "p.name as project_name",
  "p.deleted_at as project_deleted_at",
] as const;

export type SelectedIssue = Selected<"issue"> &
  Pick<StoredIssue, "project_id" | "project_name" | "project_deleted_at">;

/** The row object is new and nobody else has it, so it is turned in place. */
export function issueOf(row: SelectedIssue): StoredIssue {
  const issue: Omit<SelectedIssue, "metadata"> = row;
  return Object.assign(issue, { metadata: metadataOf(row.metadata) });
}

export function issueRow(row: Selected<"issue">): IssueRow {
  return {
    uid: row.uid,
    project_uid: row.project_uid,
    short_id: row.short_id,
    title: row.title,
    body: row.body,
    status: row.status,
    closed_reason: row.closed_reason,
    owner: row.owner,
    priority: row.priority,
    author: row.author,
    metadata: metadataOf(row.metadata),
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
    closed_at: row.closed_at,
    deleted_at: row.deleted_at,
    recurrence_uid: row.recurrence_uid,
    occurrence_key: row.occurrence_key,
  };
}

export function recurrenceOf(row: Selected<"recurrence">): StoredRecurrence {
  return {
    ...row,
    template_labels: stored(
      row.template_labels,
      `the template of series ${row.uid}`,
    ) as readonly string[],
    template_metadata: metadataOf(row.template_metadata),
  };
}

export const LEASE_COLUMNS = [
  "issue_uid",
  "claim_uid",
  "fence",
  "holder",
  "holder_instance_uid",
  "client_kind",
  "purpose",
  "claim_kind",
  "acquired_at",
  "expires_at",
  "released_at",
  "release_reason",
  "revision",
  "updated_at",
] as const;

export function derivedOf(row: Selected<"issue">): Derived {
  const { open_blockers, open_children, total_children, parked, held, ready_from } = row;
  return { open_blockers, open_children, total_children, parked, held, ready_from };
}

export function cronJobOf(row: Selected<"cron_jobs">): WithId<CronJobRow> {
  return { ...row, ...documents(row) };
}

export function cronWorkflowOf(row: Selected<"cron_workflows">): WithId<CronDefinitionRow> {
  return { ...row, ...documents(row) };
}

function documents({ uid, definition, definition_hlc }: Selected<"cron_workflows">) {
  const what = `the definition of job or workflow ${uid}`;
  return {
    definition: stored(definition, what) as JsonObject,
    definition_hlc: stored(definition_hlc, what) as unknown as CronDefinitionRow["definition_hlc"],
  };
}

export function runOf(row: Selected<"cron_runs">): StoredRun {
  return { ...row, summary: stored(row.summary, `the summary of run ${row.uid}`) as JsonObject };
}

/** The log holds what `append` checked, so its kinds and payloads are taken as they are. */
export function eventOf(row: Selected<"event">): StoredEvent {
  const event = {
    id: row.id,
    uid: row.uid,
    origin_instance_uid: row.origin_instance_uid,
    project_uid: row.project_uid,
    ...(row.issue_uid === null ? {} : { issue_uid: row.issue_uid }),
    ...(row.related_issue_uid === null ? {} : { related_issue_uid: row.related_issue_uid }),
    type: row.type as EventKind,
    actor: row.actor,
    payload: stored(row.payload, `the payload of event ${row.id} (${row.uid})`),
    hlc_physical_ms: row.hlc_physical_ms,
    hlc_counter: row.hlc_counter,
    content_hash: row.content_hash,
    created_at: row.created_at,
    ...(row.feed_uid === row.project_uid ? {} : { feed_uid: row.feed_uid }),
  };
  return event as unknown as StoredEvent;
}
