import type { StoredEvent } from "../../contract/events.ts";
import { idempotencyOf } from "../../domain/idempotency.ts";
import type { Connection } from "../connection.ts";
import { issuesOfEvents, rowsSharing } from "../refold/stored-rows.ts";

/**
 * Returns the issues of which an event has the same idempotency key as one of these events, of another issue. They must
 * be folded again together, since the key belongs to the event that is last in the order of the fold, not to the one that
 * arrived last. Called before the events are folded.
 */
export async function issuesSharingKeys(
  connection: Connection,
  events: readonly StoredEvent[],
): Promise<readonly string[]> {
  const issues = new Map<string, Set<string>>();
  const add = (key: string, issue: string | undefined): void => {
    if (issue !== undefined) issues.set(key, (issues.get(key) ?? new Set()).add(issue));
  };
  const rows = events.flatMap((event) => {
    const row = idempotencyOf(event);
    if (row === undefined) return [];
    add(nameOf(row), event.issue_uid);
    return row;
  });
  for (const row of await rowsSharing(connection, "idempotency", rows))
    for (const issue of await issuesOfEvents(connection, [row.event_uid])) add(nameOf(row), issue);
  return [...issues.values()].flatMap((shared) => (shared.size > 1 ? [...shared] : []));
}

function nameOf(row: NonNullable<ReturnType<typeof idempotencyOf>>): string {
  const { scope_uid, operation, key, origin_instance_uid } = row;
  return JSON.stringify([scope_uid, operation, key, origin_instance_uid]);
}
