import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { idempotencyOf } from "../idempotency.ts";
import { assignedId } from "../short-id.ts";
import type { Change, ImportRow, IssueRow, State, Touches } from "../state.ts";

export interface Evolver<K extends EventKind> {
  touches(event: StoredEvent<K>): Touches;
  evolve(state: State, event: StoredEvent<K>): readonly Change[];
}

export type Evolvers = { readonly [K in EventKind]: Evolver<K> };

export function subject(event: { readonly issue_uid?: string }): Touches {
  return event.issue_uid === undefined ? {} : { issues: [event.issue_uid] };
}

/** The issue that the event is about; `undefined` if it was purged or the event is about no issue. */
export function subjectOf(
  state: State,
  { issue_uid }: { readonly issue_uid?: string },
): IssueRow | undefined {
  return issue_uid === undefined ? undefined : state.issue(issue_uid);
}

/** Returns the change of `updated_at`, to be used when only comments, links or labels of an issue were changed. */
export function touched(issue: IssueRow, at: string): Change {
  return { table: "issue", put: { ...issue, updated_at: later(issue.updated_at, at) } };
}

export function issueEvolver<K extends EventKind>(
  change: (issue: IssueRow, event: StoredEvent<K>) => IssueRow,
): Evolver<K> {
  return {
    touches: subject,
    evolve: (state, event) => {
      const issue = subjectOf(state, event);
      return issue === undefined ? [] : [{ table: "issue", put: change(issue, event) }];
    },
  };
}

/** The idempotency row of the request that wrote the event, if it had a key. */
export function markOf(event: StoredEvent): readonly Change[] {
  const put = idempotencyOf(event);
  return put === undefined ? [] : [{ table: "idempotency", put }];
}

/**
 * The columns that `issue.created` and `issue.snapshot` set alike. The first author and time are kept. The first short
 * id is kept too, unless the event is a snapshot of the issue's own project: a snapshot has the short id that the hub
 * gave (docs/contract/federation.md#85-short-ids).
 */
export function contentOfIssue(
  state: State,
  event: StoredEvent<"issue.created"> | StoredEvent<"issue.snapshot">,
): Omit<IssueRow, "revision" | "updated_at" | "deleted_at"> {
  const { payload, project_uid } = event;
  const known = state.issue(payload.uid);
  const keepsShortId =
    known !== undefined && (event.type === "issue.created" || known.project_uid !== project_uid);
  return {
    uid: payload.uid,
    project_uid: known?.project_uid ?? project_uid,
    short_id: keepsShortId
      ? known.short_id
      : (assignedId(event, payload.uid, project_uid) ?? payload.short_id),
    title: payload.title,
    body: payload.body,
    status: payload.status,
    closed_reason: payload.closed_reason ?? null,
    owner: payload.owner ?? null,
    priority: payload.priority ?? null,
    author: known?.author ?? payload.author,
    metadata: payload.metadata,
    created_at: known?.created_at ?? payload.created_at,
    closed_at: payload.closed_at ?? null,
    recurrence_uid: payload.recurrence_uid ?? known?.recurrence_uid ?? null,
    occurrence_key: payload.occurrence_key ?? known?.occurrence_key ?? null,
  };
}

/**
 * Returns the changes that store the rows by which a repeated import is recognized
 * (docs/contract/http-api.md#313-imports-plans-issue-sync). Leaves out a row whose record already belongs to another
 * issue.
 */
export function mapped(state: State, rows: readonly ImportRow[]): readonly Change[] {
  return rows.filter((row) => !state.isMappedBefore(row)).map((put) => ({ table: "import", put }));
}

export const nothing: Evolver<never> = { touches: () => ({}), evolve: () => [] };

/** `updated_at` only moves forward (docs/contract/events.md#62-effects). */
export function later(known: string, candidate: string): string {
  return candidate > known ? candidate : known;
}
