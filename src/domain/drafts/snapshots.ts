import type { EventDraft, Payload } from "../../contract/events.ts";
import type {
  CommentRow,
  CronDefinitionRow,
  CronRunRow,
  ExternalRootRow,
  ImportRow,
  IssueRow,
  LabelRow,
  LinkRow,
  ProjectRow,
} from "../state.ts";
import { type Act, type EveryField, issueEventDraft, projectEventDraft, stated } from "./draft.ts";

/** Who makes the baseline. A baseline has no time of its own: the times in its snapshots are those of the rows. */
export type By = Pick<Act, "actor">;

/**
 * The purged issues and the used short ids of a project. No daemon may create these issues or assign these ids again.
 */
export type Spent = Pick<
  Payload<"project.federation_enabled">,
  "purged_uids" | "spent_short_ids" | "former_short_ids"
>;

/** The first event of a project's baseline. */
export function federationEnabled(project: ProjectRow, spent: Spent, by: By) {
  const { uid: project_uid, name: project_name, metadata, revision } = project;
  const { purged_uids, spent_short_ids, former_short_ids } = spent;
  return projectEventDraft("project.federation_enabled", project_uid, by, {
    project_uid,
    project_name,
    metadata,
    revision,
    purged_uids,
    spent_short_ids,
    former_short_ids,
  });
}

/** An issue and the rows that belong to it. */
export interface WholeIssue {
  readonly issue: IssueRow;
  readonly labels: readonly LabelRow[];
  /** The links that are stored from the issue, including links that wait (`waiting_link`). */
  readonly links: readonly LinkRow[];
  readonly comments: readonly CommentRow[];
  readonly imports: readonly ImportRow[];
  readonly root: ExternalRootRow | undefined;
}

/**
 * Makes the snapshot of an issue as it is now. It contains no idempotency keys, so only the daemon that received a
 * request with a key recognizes the request when it is repeated.
 */
export function issueSnapshot({ issue, ...rest }: WholeIssue, by: By) {
  const { project_uid, ...fields } = issue;
  return issueEventDraft(
    "issue.snapshot",
    issue,
    by,
    stated({
      ...fields,
      sources: someOf(rest.imports.filter((row) => row.project_uid === project_uid).map(sourceOf)),
      labels: someOf(rest.labels.map(labelOf)),
      links: someOf(rest.links.map(linkOf)),
      comments: someOf(rest.comments.map(commentOf)),
      external_root: rest.root === undefined ? undefined : rootOf(rest.root),
    } satisfies EveryField<"issue.snapshot">),
  );
}

/** Returns `undefined` for an empty list, so that the event does not store it. */
function someOf<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function sourceOf({ source, external_id, imported_at }: ImportRow) {
  return { source, external_id, imported_at };
}

function rootOf({ binding_uid, connector_instance, enabled }: ExternalRootRow) {
  return { binding_uid, connector_instance, enabled: enabled === 1 };
}

function linkOf({ type, to_uid: to_issue_uid, author, created_at }: LinkRow) {
  return { type, to_issue_uid, author, created_at };
}

function labelOf({ label, author, created_at }: LabelRow) {
  return { label, author, created_at };
}

function commentOf({ uid: comment_uid, author, body, created_at, teammate }: CommentRow) {
  return stated({ comment_uid, author, body, created_at, teammate });
}

export function jobSnapshot(row: CronDefinitionRow, by: By): EventDraft<"cron.job.snapshot"> {
  return projectEventDraft("cron.job.snapshot", row.project_uid, by, definitionOf(row));
}

export function workflowSnapshot(
  row: CronDefinitionRow,
  by: By,
): EventDraft<"cron.workflow.snapshot"> {
  return projectEventDraft("cron.workflow.snapshot", row.project_uid, by, definitionOf(row));
}

function definitionOf(row: CronDefinitionRow): Payload<"cron.job.snapshot"> {
  return stated({
    uid: row.uid,
    project_uid: row.project_uid,
    name: row.name,
    definition: row.definition,
    definition_event_uid: row.definition_event_uid,
    definition_hlc: row.definition_hlc,
    author: row.author,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: row.deleted_at,
  });
}

/** The event of a run's last observation. */
export type LastObservation = Pick<
  Payload<"cron.run.snapshot">,
  "observation_event_uid" | "observation_hlc"
>;

export function runSnapshot(run: CronRunRow, last: LastObservation, by: By) {
  const { input_tokens: _, output_tokens: __, duration_ms: ___, day: ____, ...fields } = run;
  return projectEventDraft(
    "cron.run.snapshot",
    run.project_uid,
    by,
    stated({ ...fields, ...last }),
  );
}
