import type { Instant } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Payload } from "../../contract/events.ts";
import type { Diff } from "../metadata.ts";
import type { IssueRow } from "../state.ts";
import {
  type Act,
  type EveryField,
  type IssueInProject,
  issueEventDraft,
  keyOf,
  type Mark,
  stated,
} from "./draft.ts";

/** The fields of a new issue. The event does not store fields that are absent or null. */
export interface NewIssue extends IssueInProject {
  readonly short_id: string;
  readonly title: string;
  readonly body?: string | undefined;
  readonly author: string;
  readonly owner?: string | null | undefined;
  readonly priority?: number | null | undefined;
  /** Set only by imports. Without it the issue is open. */
  readonly status?: "open" | "closed";
  readonly metadata?: JsonObject | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly links?: readonly NewLink[] | undefined;
  /** Set only by imports. Without it the issue was created at the time of its event. */
  readonly created_at?: Instant;
  readonly updated_at?: Instant;
  readonly closed_reason?: string | undefined;
  readonly closed_at?: Instant | undefined;
  readonly mark?: Mark | undefined;
  readonly recurrence_uid?: string;
  readonly occurrence_key?: string;
  readonly source?: string;
  readonly external_id?: string;
  readonly other_external_ids?: readonly string[];
}

/** The fields that one `issue.updated` event can change. */
export type EditedField = "title" | "body" | "owner";

export type NewLink = NonNullable<Payload<"issue.created">["links"]>[number];

export function issueCreated(issue: NewIssue, act: Act) {
  const { project_uid: _, mark, labels = [], links = [], ...rest } = issue;
  const { uid, short_id, title, body = "", author, owner, priority, status = "open" } = rest;
  const { metadata = {}, created_at = act.now } = rest;
  const { updated_at, closed_reason, closed_at } = rest;
  const { recurrence_uid, occurrence_key, source, external_id, other_external_ids = [] } = rest;
  return issueEventDraft(
    "issue.created",
    issue,
    act,
    stated({
      uid,
      short_id,
      title,
      body,
      author,
      owner,
      priority,
      status,
      metadata,
      labels: labels.length === 0 ? undefined : [...new Set(labels)].sort(),
      links: links.length === 0 ? undefined : [...links],
      created_at,
      updated_at,
      closed_reason,
      closed_at,
      ...keyOf(mark),
      recurrence_uid,
      occurrence_key,
      source,
      external_id,
      other_external_ids: other_external_ids.length === 0 ? undefined : [...other_external_ids],
    } satisfies EveryField<"issue.created">),
  );
}

/** What a connector said of the record from which a change comes. */
export type ExternalSource = NonNullable<Payload<"issue.updated">["source"]>;

export function issueUpdated(
  issue: IssueRow,
  to: Partial<Pick<IssueRow, EditedField>>,
  act: Act,
  source?: ExternalSource,
) {
  return issueEventDraft("issue.updated", issue, act, {
    ...(to.title === undefined ? {} : { title: to.title, old_title: issue.title }),
    ...(to.body === undefined ? {} : { body: to.body }),
    ...(to.owner === undefined ? {} : { owner: to.owner, old_owner: issue.owner }),
    updated_at: act.now,
    ...(source === undefined ? {} : { source }),
  });
}

export function issueAssigned(issue: IssueInProject, owner: string, act: Act, mark?: Mark) {
  return issueEventDraft("issue.assigned", issue, act, {
    owner,
    updated_at: act.now,
    ...keyOf(mark),
  });
}

export function issueUnassigned(issue: IssueInProject, act: Act) {
  return issueEventDraft("issue.unassigned", issue, act, { owner: null, updated_at: act.now });
}

export function prioritySet(issue: IssueRow, priority: number, act: Act) {
  const payload = { priority, ...oldPriority(issue), updated_at: act.now };
  return issueEventDraft("issue.priority_set", issue, act, payload);
}

export function priorityCleared(issue: IssueRow, act: Act) {
  const payload = { ...oldPriority(issue), updated_at: act.now };
  return issueEventDraft("issue.priority_cleared", issue, act, payload);
}

function oldPriority({ priority }: IssueRow) {
  return priority === null ? {} : { old_priority: priority };
}

/** Makes the event that adds a label. For a label that is restored, `original` has its original author and time. */
export function issueLabeled(
  issue: IssueInProject,
  label: string,
  act: Act,
  original: { readonly author?: string; readonly created_at?: Instant } = {},
) {
  return issueEventDraft("issue.labeled", issue, act, { label, ...original, updated_at: act.now });
}

export function issueUnlabeled(issue: IssueInProject, label: string, act: Act) {
  return issueEventDraft("issue.unlabeled", issue, act, { label, updated_at: act.now });
}

export interface NewComment {
  readonly uid: string;
  readonly author: string;
  readonly body: string;
  readonly teammate?: string | undefined;
  readonly mark?: Mark | undefined;
  /** Set if the comment is imported from the root of the issue. */
  readonly source?: ExternalSource | undefined;
}

/**
 * Makes the event that adds a comment. The comment gets the time of `act`. For an imported comment, this is the time
 * when it was written.
 */
export function issueCommented(
  issue: IssueInProject,
  { uid, author, body, teammate, mark, source }: NewComment,
  act: Act,
) {
  return issueEventDraft("issue.commented", issue, act, {
    comment_uid: uid,
    author,
    body,
    created_at: act.now,
    ...(teammate === undefined ? {} : { teammate }),
    ...keyOf(mark),
    ...(source === undefined ? {} : { source }),
  });
}

export function commentEdited(
  issue: IssueInProject,
  comment_uid: string,
  body: string,
  act: Act,
  source?: ExternalSource,
) {
  return issueEventDraft("issue.comment_edited", issue, act, {
    comment_uid,
    body,
    edited_at: act.now,
    ...(source === undefined ? {} : { source }),
  });
}

type Evidence = NonNullable<Payload<"issue.closed">["evidence"]>[number];

export interface Close {
  readonly reason: string;
  readonly closed_at: Instant;
  readonly message?: string | undefined;
  readonly evidence?: readonly Evidence[] | undefined;
  readonly parent: { readonly uid: string; readonly short_id: string } | undefined;
  readonly mark?: Mark | undefined;
}

export function issueClosed(
  issue: IssueInProject,
  { reason, closed_at, message = "", evidence = [], parent, mark }: Close,
  act: Act,
) {
  return issueEventDraft("issue.closed", issue, act, {
    reason,
    closed_at,
    ...(message === "" ? {} : { message }),
    ...(evidence.length === 0 ? {} : { evidence: [...evidence] }),
    parent_uid: parent?.uid ?? "",
    parent_short_id: parent?.short_id ?? "",
    ...keyOf(mark),
  });
}

export function closeThrottled(
  issue: IssueInProject,
  payload: Payload<"close.throttled">,
  act: Act,
) {
  return issueEventDraft("close.throttled", issue, act, payload);
}

export function issueReopened(issue: IssueInProject, act: Act) {
  const payload = { reopened_at: act.now, updated_at: act.now };
  return issueEventDraft("issue.reopened", issue, act, payload);
}

/** `deleted_at` differs from the time of the event if an undo deletes the issue again. */
export function issueDeleted(
  issue: IssueInProject,
  {
    reason = "",
    deleted_at,
  }: { readonly reason?: string | undefined; readonly deleted_at: Instant },
  act: Act,
) {
  const payload = { deleted_at, ...(reason === "" ? {} : { reason }) };
  return issueEventDraft("issue.soft_deleted", issue, act, payload);
}

export function issueRestored(issue: IssueInProject, act: Act) {
  const payload = { restored_at: act.now, updated_at: act.now };
  return issueEventDraft("issue.restored", issue, act, payload);
}

export function issueMetadataUpdated(
  issue: IssueInProject & Pick<IssueRow, "revision">,
  diff: Diff,
  act: Act,
) {
  const payload = { diff: { ...diff }, revision_new: issue.revision + 1, updated_at: act.now };
  return issueEventDraft("issue.metadata_updated", issue, act, payload);
}

export function issueImported(
  issue: IssueInProject,
  from: { readonly source: string; readonly external_id: string },
  read: Pick<Payload<"issue.imported">, "external_ids" | "fields" | "waiting">,
  act: Act,
) {
  return issueEventDraft("issue.imported", issue, act, {
    ...from,
    ...read,
    source_updated_at: act.now,
  });
}

/** The event belongs to the target project. */
export function issueMoved(
  { uid, project_uid, short_id }: IssueInProject & Pick<IssueRow, "short_id">,
  to: { readonly project_uid: string; readonly short_id: string },
  act: Act,
) {
  return issueEventDraft("issue.moved", { uid, project_uid: to.project_uid }, act, {
    from_project_uid: project_uid,
    to_project_uid: to.project_uid,
    from_short_id: short_id,
    to_short_id: to.short_id,
    updated_at: act.now,
  });
}
