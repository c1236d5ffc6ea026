import { sql } from "kysely";
import type { HybridClock } from "../../domain/order.ts";
import type { Connection } from "../connection.ts";
import { sqlStatement } from "../rows/statement.ts";
import type { ForeignEvent } from "../types/store.ts";
import { clockAhead } from "./refuse-event.ts";

/** How far the clock of an event may be ahead. */
const MAX_AHEAD_MS = 24 * 3_600_000;

/**
 * Throws for an event whose clock is more than 24 hours ahead both of this machine's clock and of its project's clock.
 * If such an event were accepted, it would move the clocks of all daemons forward. The other events of the page do not
 * count as the project's clock; otherwise each event could be 24 hours ahead of the one before. The refusal is
 * temporary: it ends when the wrong clock is corrected.
 *
 * Call this only for events that a hub gets. A copy accepts the clock of its hub, because that clock moves no other
 * project forward.
 *
 * `before` has, for each project, a clock that is not behind the clocks of the project's events in the log. So the
 * events in the log are rarely read.
 */
export async function checkClocks(
  connection: Connection,
  events: readonly ForeignEvent[],
  { nowMs, before }: { readonly nowMs: number; readonly before: ReadonlyMap<string, HybridClock> },
): Promise<void> {
  const reached = new Map<string, number>();
  for (const event of events) {
    const { project_uid, hlc_physical_ms: ms } = event;
    if (ms - nowMs <= MAX_AHEAD_MS) continue;
    const headMs = before.get(project_uid)?.hlc_physical_ms ?? 0;
    if (ms - headMs <= MAX_AHEAD_MS && !reached.has(project_uid))
      reached.set(project_uid, (await clockOf.one(connection, { project_uid }))?.ms ?? 0);
    if (ms - (reached.get(project_uid) ?? 0) > MAX_AHEAD_MS) throw clockAhead(event, ms - nowMs);
  }
}

const clockOf = sqlStatement<{ readonly project_uid: string }, { readonly ms: number | null }>(
  (p) => sql`select max(hlc_physical_ms) as ms from event where feed_uid = ${p.project_uid}`,
);
