import { invalid, SvcError } from "../contract/errors.ts";
import type { EventDraft } from "../contract/events.ts";
import type { Act } from "./drafts/draft.ts";
import {
  issueAssigned,
  issueDeleted,
  issueMetadataUpdated,
  issueReopened,
  issueRestored,
  issueUnassigned,
  issueUpdated,
  priorityCleared,
  prioritySet,
} from "./drafts/issues.ts";
import { diffOf, type MetadataPatch } from "./metadata.ts";
import type { IssueRow } from "./state.ts";

/**
 * The result of a decision about the fields of one issue: the event to append, or `"unchanged"`. A change without
 * effect writes no event and no revision (docs/contract/http-api.md#47-metadata and
 * docs/contract/http-api.md#61-life-of-an-issue).
 */
type DraftOrUnchanged<K extends EventDraft["type"]> = EventDraft<K> | "unchanged";

export interface FieldEdit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Empty text clears the owner. */
  readonly owner?: string | undefined;
}

export function decideFields(
  issue: IssueRow,
  edit: FieldEdit,
  act: Act,
): DraftOrUnchanged<"issue.updated"> {
  const owner = edit.owner === "" ? null : edit.owner;
  const title = edit.title !== undefined && edit.title !== issue.title;
  const body = edit.body !== undefined && edit.body !== issue.body;
  const owned = owner !== undefined && owner !== issue.owner;
  if (!title && !body && !owned) return "unchanged";
  const to = {
    ...(title ? { title: edit.title } : {}),
    ...(body ? { body: edit.body } : {}),
    ...(owned ? { owner } : {}),
  };
  return issueUpdated(issue, to, act);
}

export function decidePriority(
  issue: IssueRow,
  priority: number | null,
  act: Act,
): DraftOrUnchanged<"issue.priority_set" | "issue.priority_cleared"> {
  if (priority === issue.priority) return "unchanged";
  return priority === null ? priorityCleared(issue, act) : prioritySet(issue, priority, act);
}

export function decideAssign(
  issue: IssueRow,
  owner: string,
  act: Act,
): DraftOrUnchanged<"issue.assigned"> {
  return issue.owner === owner ? "unchanged" : issueAssigned(issue, owner, act);
}

/** Removes the owner. Throws if `expectedOwner` is given and somebody else has become the owner. */
export function decideUnassign(
  issue: IssueRow,
  expectedOwner: string | undefined,
  act: Act,
): DraftOrUnchanged<"issue.unassigned"> {
  if (expectedOwner !== undefined && issue.owner !== null && issue.owner !== expectedOwner) {
    throw new SvcError(
      "owner_mismatch",
      { expected_owner: expectedOwner, current_owner: issue.owner },
      { message: `${issue.owner} owns it, not ${expectedOwner}` },
    );
  }
  return issue.owner === null ? "unchanged" : issueUnassigned(issue, act);
}

export interface ClaimTerms {
  /** Whether to take the issue over from its owner. */
  readonly force: boolean;
  /** Whether to refuse the claim if the issue has any owner, even the actor. */
  readonly ifUnowned: boolean;
}

/** Makes the actor the owner (docs/contract/http-api.md#34-issue-actions). */
export function decideClaim(
  issue: IssueRow,
  terms: ClaimTerms,
  act: Act,
): DraftOrUnchanged<"issue.assigned"> {
  if (terms.force && terms.ifUnowned) {
    throw invalid("force and if_unowned exclude each other");
  }
  const own = issue.owner === act.actor;
  if (issue.owner !== null && !terms.force && (!own || terms.ifUnowned)) {
    throw new SvcError(
      "already_claimed",
      { current_owner: issue.owner },
      { message: `already claimed by ${issue.owner}` },
    );
  }
  return decideAssign(issue, act.actor, act);
}

export function decideReopen(issue: IssueRow, act: Act): DraftOrUnchanged<"issue.reopened"> {
  return issue.status === "open" ? "unchanged" : issueReopened(issue, act);
}

export function decideDelete(
  issue: IssueRow,
  reason: string | undefined,
  act: Act,
): DraftOrUnchanged<"issue.soft_deleted"> {
  if (issue.deleted_at !== null) return "unchanged";
  return issueDeleted(issue, { reason, deleted_at: act.now }, act);
}

/** Restores the issue as it was, open or closed. */
export function decideRestore(issue: IssueRow, act: Act): DraftOrUnchanged<"issue.restored"> {
  return issue.deleted_at === null ? "unchanged" : issueRestored(issue, act);
}

export function decideMetadata(
  issue: IssueRow,
  patch: MetadataPatch,
  act: Act,
): DraftOrUnchanged<"issue.metadata_updated"> {
  const diff = diffOf(issue.metadata, patch);
  return diff === undefined ? "unchanged" : issueMetadataUpdated(issue, diff, act);
}

/** Refuses a write that expects another revision (docs/contract/http-api.md#16-revisions). */
export function checkRevision(
  what: "issue" | "project" | "recurrence",
  current: number,
  wanted: number | undefined,
): void {
  if (wanted === undefined || wanted === current) return;
  throw new SvcError(
    "revision_conflict",
    { revision: current },
    { message: `${what} revision is ${current}` },
  );
}
