import type { StoredEvent } from "../../contract/events.ts";
import { touches } from "../../domain/evolve/evolve.ts";
import type { FoldContext } from "../fold/context.ts";
import {
  type ProjectLevelRow,
  projectLevelRowOf,
  refoldProjectLevelRows,
} from "../refold/project-level-rows.ts";
import { refoldRows } from "../refold/refold.ts";
import { eventsBehind } from "../repos/late-events.ts";
import { pastEvents } from "../repos/past-events.ts";
import { ALL_EVENTS } from "../types/events.ts";

/** Number of issues that are folded again together. */
const ISSUES_PER_REFOLD = 200;

/**
 * Folds again the issues and rows of two kinds of events: late events, and events that a baseline among `events` has
 * moved behind itself. Also folds the issues `others` again. Skips what does not exist.
 */
export async function refoldAfter(
  context: FoldContext,
  events: readonly StoredEvent[],
  late: readonly StoredEvent[],
  others: readonly string[],
): Promise<void> {
  const targets = new RefoldTargets(others);
  for (const event of late) targets.add(event);
  // Events about an issue that was not here had no effect. Now that the issue is created, they are folded again.
  const made = late.flatMap(({ type, issue_uid }) =>
    type === "issue.created" || type === "issue.snapshot" ? (issue_uid ?? []) : [],
  );
  for (const event of await pastEvents(context.connection).ofIssues(made, ALL_EVENTS))
    targets.add(event);
  const [{ id: before } = { id: 0 }] = events;
  for (const { type, project_uid, hub_event_id, hlc_physical_ms, hlc_counter } of events) {
    if (type !== "project.federation_enabled" || hub_event_id === undefined) continue;
    const baseline = { project_uid, hub_event_id, hlc_physical_ms, hlc_counter, before };
    for (const event of await eventsBehind(context.connection, baseline)) targets.add(event);
  }
  await targets.refold(context);
}

/** Collects the issues, and the rows that belong to no issue, that are to be folded again. */
export class RefoldTargets {
  readonly #issues: Set<string>;
  readonly #projectLevelRows = new Map<string, ProjectLevelRow>();

  constructor(issues: readonly string[]) {
    this.#issues = new Set(issues);
  }

  /**
   * Adds what the event changes: the row that belongs to no issue, or the event's issue and the issues from which its
   * links start.
   */
  add(event: StoredEvent): void {
    const row = projectLevelRowOf(event);
    if (row !== undefined) this.#projectLevelRows.set(`${row.table} ${row.uid}`, row);
    if (event.issue_uid !== undefined) this.#issues.add(event.issue_uid);
    for (const [from] of touches(event).links ?? []) this.#issues.add(from);
  }

  async refold(context: FoldContext): Promise<void> {
    const uids = [...this.#issues];
    for (let at = 0; at < uids.length; at += ISSUES_PER_REFOLD)
      await refoldRows(context, uids.slice(at, at + ISSUES_PER_REFOLD));
    if (this.#projectLevelRows.size > 0)
      await refoldProjectLevelRows(context, [...this.#projectLevelRows.values()]);
  }
}
