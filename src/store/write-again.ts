import { sql } from "kysely";
import type { EventDraft, StoredEvent } from "../contract/events.ts";
import { asBoundActor } from "../domain/federation/bound-actor.ts";
import { KINDS_WRITTEN_AGAIN } from "../domain/federation/unsent.ts";
import { RefoldTargets } from "./admit/refold-after.ts";
import { type Appending, appendAll } from "./append.ts";
import { foldOrder } from "./load/fold-order.ts";
import { dropEvents } from "./purge/drop-events.ts";
import { reserveResetId } from "./purge/purge.ts";
import { eventStatement } from "./repos/statements.ts";
import { unindexed } from "./rows/statement.ts";
import { ALL_EVENTS } from "./types/events.ts";

/**
 * Rewrites the events of a project that its hub does not have: appends them to the log in the name of `bound_actor`,
 * and deletes the originals. The hub would refuse events of any other actor (docs/contract/federation.md#42-rejoin).
 * The new events keep the order of the originals, and come after all events that the hub has. Readers of the project
 * must start again. Returns the number of events.
 */
export async function writeAgain(
  to: Appending,
  { project_uid, bound_actor }: { readonly project_uid: string; readonly bound_actor: string },
  nowMs: number,
): Promise<number> {
  const { connection } = to;
  const order = await foldOrder(connection, ALL_EVENTS);
  const originals = order.sorted(await unsent.all(connection, { project_uid }));
  if (originals.length === 0) return 0;
  const ids = sql.join(originals.map(({ id }) => sql.lit(id)));
  await dropEvents(connection, sql`where id in (${ids})`);
  const drafts = originals.map((event) => asBoundActor(draftOf(event), bound_actor));
  const targets = new RefoldTargets([]);
  for (const event of await appendAll(to, drafts, nowMs)) targets.add(event);
  await targets.refold(to);
  await reserveResetId(to, [project_uid]);
  return originals.length;
}

const KINDS = KINDS_WRITTEN_AGAIN.map((kind) => sql.lit(kind));

const unsent = eventStatement((db, p: { project_uid: string }, dialect) =>
  db
    .selectFrom("event")
    .selectAll()
    .where("feed_uid", "=", p.project_uid)
    .where("hub_event_id", "is", null)
    .where("skipped_at", "is", null)
    .where(sql<boolean>`${unindexed(dialect, "type")} in (${sql.join(KINDS)})`)
    .orderBy("id"),
);

/** Returns the event as a draft, without the values that it gets when it is written. */
function draftOf(event: StoredEvent): EventDraft {
  const { type, actor, local_actor, project_uid, issue_uid, related_issue_uid, payload } = event;
  return {
    ...{ type, actor, project_uid, payload },
    ...(local_actor === undefined ? {} : { local_actor }),
    ...(issue_uid === undefined ? {} : { issue_uid }),
    ...(related_issue_uid === undefined ? {} : { related_issue_uid }),
  } as EventDraft;
}
