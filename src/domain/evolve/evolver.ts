import type { EventKind, StoredEvent } from "../../contract/events.ts";
import { idempotencyOf } from "../idempotency.ts";
import type { Change, IssueRow, State, Touches } from "../state.ts";

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

export function onIssue<K extends EventKind>(
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

export const nothing: Evolver<never> = { touches: () => ({}), evolve: () => [] };

/** `updated_at` only moves forward (facts federation, section 8). */
export function later(known: string, candidate: string): string {
  return candidate > known ? candidate : known;
}
