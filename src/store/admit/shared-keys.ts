import type { StoredEvent } from "../../contract/events.ts";
import { idempotencyOf } from "../../domain/idempotency.ts";
import { mappingsOf } from "../../domain/mappings.ts";
import type { Connection } from "../connection.ts";
import { issuesOfEvents, rowsSharing } from "../refold/stored-rows.ts";
import type { ForeignEvent } from "../types/store.ts";

/**
 * Returns issues that must be folded again together: an event of one issue has the same idempotency key, or maps the
 * same record of another tracker, as one of these events of another issue. The key belongs to the event that is last in
 * the order of the fold. The record belongs to the issue that the hub knew first (`rankOfMappings`). Call this before
 * the events are folded, when their ids on the hub are known.
 */
export async function issuesSharingKeys(
  connection: Connection,
  events: readonly (StoredEvent | ForeignEvent)[],
): Promise<readonly string[]> {
  const shared = new Shared();
  const keys = events.flatMap((event) => {
    const row = idempotencyOf(event);
    if (row === undefined) return [];
    shared.add(keyName(row), event.issue_uid);
    return row;
  });
  const mappings = events.flatMap((event) => {
    const rows = mappingsOf(event);
    for (const row of rows) shared.add(mappingName(row), event.issue_uid);
    return rows;
  });
  for (const row of await rowsSharing(connection, "idempotency", keys))
    for (const issue of await issuesOfEvents(connection, [row.event_uid]))
      shared.add(keyName(row), issue);
  for (const row of await rowsSharing(connection, "import", mappings))
    shared.add(mappingName(row), row.issue_uid);
  return shared.issues();
}

/** The issues with the same key or record, by its name. */
class Shared {
  readonly #issues = new Map<string, Set<string>>();

  add(name: string, issue: string | undefined): void {
    if (issue === undefined) return;
    this.#issues.set(name, (this.#issues.get(name) ?? new Set()).add(issue));
  }

  /** Returns all issues of the names that belong to more than one issue. */
  issues(): readonly string[] {
    return [...this.#issues.values()].flatMap((shared) => (shared.size > 1 ? [...shared] : []));
  }
}

function keyName(row: NonNullable<ReturnType<typeof idempotencyOf>>): string {
  const { scope_uid, operation, key, origin_instance_uid } = row;
  return JSON.stringify([scope_uid, operation, key, origin_instance_uid]);
}

function mappingName(row: ReturnType<typeof mappingsOf>[number]): string {
  return JSON.stringify([row.project_uid, row.source, row.external_id]);
}
