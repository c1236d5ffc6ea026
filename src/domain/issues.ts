import type { Instant } from "../base/clock.ts";
import { SvcError } from "../contract/errors.ts";
import type { EventDraft } from "../contract/events.ts";
import { diffOf, type MetadataPatch } from "./metadata.ts";
import type { IssueRow } from "./state.ts";

/**
 * Decisions about the fields of one issue: the event to append, or `"unchanged"`. A change without effect writes no
 * event and no revision (facts http-api 4.7, 6.1).
 */
type Decided<K extends EventDraft["type"]> = EventDraft<K> | "unchanged";

/** The actor and the time. */
export interface Act {
  readonly actor: string;
  readonly now: Instant;
}

export interface FieldEdit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Empty text clears the owner. */
  readonly owner?: string | undefined;
}

export function decideFields(issue: IssueRow, edit: FieldEdit, act: Act): Decided<"issue.updated"> {
  const owner = edit.owner === "" ? null : edit.owner;
  const title = edit.title !== undefined && edit.title !== issue.title;
  const body = edit.body !== undefined && edit.body !== issue.body;
  const owned = owner !== undefined && owner !== issue.owner;
  if (!title && !body && !owned) return "unchanged";
  return {
    type: "issue.updated",
    ...about(issue, act),
    payload: {
      ...(title ? { title: edit.title, old_title: issue.title } : {}),
      ...(body ? { body: edit.body } : {}),
      ...(owned ? { owner, old_owner: issue.owner } : {}),
      updated_at: act.now,
    },
  };
}

/** `null` clears the priority. */
export function decidePriority(
  issue: IssueRow,
  priority: number | null,
  act: Act,
): Decided<"issue.priority_set" | "issue.priority_cleared"> {
  if (priority === issue.priority) return "unchanged";
  const old = issue.priority === null ? {} : { old_priority: issue.priority };
  const updated_at = act.now;
  return priority === null
    ? { type: "issue.priority_cleared", ...about(issue, act), payload: { ...old, updated_at } }
    : {
        type: "issue.priority_set",
        ...about(issue, act),
        payload: { priority, ...old, updated_at },
      };
}

export function decideAssign(issue: IssueRow, owner: string, act: Act): Decided<"issue.assigned"> {
  if (issue.owner === owner) return "unchanged";
  return { type: "issue.assigned", ...about(issue, act), payload: { owner, updated_at: act.now } };
}

/** With `expectedOwner`, refuses if somebody else has become the owner. */
export function decideUnassign(
  issue: IssueRow,
  expectedOwner: string | undefined,
  act: Act,
): Decided<"issue.unassigned"> {
  if (expectedOwner !== undefined && issue.owner !== null && issue.owner !== expectedOwner) {
    throw new SvcError(
      "owner_mismatch",
      { expected_owner: expectedOwner, current_owner: issue.owner },
      { message: `${issue.owner} owns it, not ${expectedOwner}` },
    );
  }
  if (issue.owner === null) return "unchanged";
  return {
    type: "issue.unassigned",
    ...about(issue, act),
    payload: { owner: null, updated_at: act.now },
  };
}

export interface ClaimTerms {
  /** Take the issue over from its owner. */
  readonly force: boolean;
  /** Refuse if the issue has any owner, even the actor. */
  readonly ifUnowned: boolean;
}

/** Makes the actor the owner (facts http-api 3.4). */
export function decideClaim(
  issue: IssueRow,
  terms: ClaimTerms,
  act: Act,
): Decided<"issue.assigned"> {
  if (terms.force && terms.ifUnowned) {
    throw new SvcError("validation", {}, { message: "force and if_unowned exclude each other" });
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

export function decideReopen(issue: IssueRow, act: Act): Decided<"issue.reopened"> {
  if (issue.status === "open") return "unchanged";
  const payload = { reopened_at: act.now, updated_at: act.now };
  return { type: "issue.reopened", ...about(issue, act), payload };
}

export function decideDelete(
  issue: IssueRow,
  reason: string | undefined,
  act: Act,
): Decided<"issue.soft_deleted"> {
  if (issue.deleted_at !== null) return "unchanged";
  const why = reason === undefined || reason === "" ? {} : { reason };
  return {
    type: "issue.soft_deleted",
    ...about(issue, act),
    payload: { deleted_at: act.now, ...why },
  };
}

/** Restores the issue as it was, open or closed. */
export function decideRestore(issue: IssueRow, act: Act): Decided<"issue.restored"> {
  if (issue.deleted_at === null) return "unchanged";
  const payload = { restored_at: act.now, updated_at: act.now };
  return { type: "issue.restored", ...about(issue, act), payload };
}

export function decideMetadata(
  issue: IssueRow,
  patch: MetadataPatch,
  act: Act,
): Decided<"issue.metadata_updated"> {
  const diff = diffOf(issue.metadata, patch);
  if (diff === undefined) return "unchanged";
  const payload = { diff, revision_new: issue.revision + 1, updated_at: act.now };
  return { type: "issue.metadata_updated", ...about(issue, act), payload };
}

/** Refuses a write that expects another revision (facts http-api 1.6). */
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

function about(issue: IssueRow, { actor }: Act) {
  return { actor, project_uid: issue.project_uid, issue_uid: issue.uid };
}
