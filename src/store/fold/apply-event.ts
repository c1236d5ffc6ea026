import type { StoredEvent } from "../../contract/events.ts";
import { evolve, touches } from "../../domain/evolve/evolve.ts";
import type { Change } from "../../domain/state.ts";
import { load } from "../load/load.ts";
import { assignShortIds, namesShortId } from "./assign-short-ids.ts";
import { collectChanges, noEffect } from "./collect-changes.ts";
import type { FoldContext } from "./context.ts";
import { deriveColumns } from "./derive.ts";
import type { Effect } from "./effect.ts";
import { mergeRowsOfProject, requireAllowed } from "./lifecycle.ts";
import { mergeFeeds } from "./merge-feeds.ts";
import { propagateHeld } from "./propagate-held.ts";
import { setShortIdsAside } from "./short-id-holders.ts";
import { writeEffect } from "./write-effect.ts";

export async function applyEvent(context: FoldContext, arriving: StoredEvent): Promise<void> {
  const { connection, loaded } = context;
  await load(connection, loaded, touches(arriving));
  const [event = arriving] = await withShortIds(context, [arriving]);
  const changes = evolve(loaded, event);
  if (changes.length === 0) return;
  await requireAllowed(connection, event);
  if (event.type === "project.merged") {
    const { source_uid: source } = event.payload;
    await mergeFeeds(connection, source, event.project_uid);
    await mergeRowsOfProject(connection, source, event.project_uid);
    // The merge brings short ids that are never assigned again, so ids that were found to be free may be taken.
    loaded.free.clear();
  }
  await applyChanges(context, changes);
}

/**
 * Folds several events at once. Their rows must be loaded, and no event may read or change a row that another event
 * changes.
 */
export async function applyIndependent(
  context: FoldContext,
  events: readonly StoredEvent[],
): Promise<void> {
  const assigned = await withShortIds(context, events);
  await applyChanges(
    context,
    assigned.flatMap((event) => evolve(context.loaded, event)),
  );
}

/**
 * Returns the events with the short ids that their issues get (`assignShortIds`). Before that, writes the new short ids
 * of the issues that lose theirs.
 */
export async function withShortIds(
  context: FoldContext,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  if (!events.some(namesShortId)) return events;
  const [only, ...others] = events;
  if (only !== undefined && others.length === 0 && hasFreeShortId(context, only)) return events;
  const { events: decided, displaced } = await assignShortIds(context, events);
  if (displaced.size === 0) return decided;
  await setShortIdsAside(context, [...displaced.keys()]);
  const puts = [...displaced].flatMap(([uid, short_id]): readonly Change[] => {
    const row = context.loaded.issue(uid);
    if (row === undefined || short_id === undefined) return [];
    return [{ table: "issue", put: { ...row, short_id } }];
  });
  if (puts.length > 0) await applyChanges(context, puts);
  return decided;
}

/**
 * Whether the event creates an issue under a short id that its operation has just found to be free. Then there is
 * nothing to decide, and the short id is marked as taken.
 */
function hasFreeShortId({ loaded }: FoldContext, event: StoredEvent): boolean {
  if (event.type !== "issue.created" || event.hub_event_id !== undefined) return false;
  const { project_uid } = event;
  const { uid, short_id } = event.payload;
  if (loaded.issue(uid) !== undefined || !loaded.free.has(project_uid, short_id, uid)) return false;
  loaded.free.take(project_uid, short_id);
  return true;
}

export async function applyChanges(
  context: FoldContext,
  changes: readonly Change[],
): Promise<void> {
  const effect = noEffect();
  await collectChanges(context, changes, effect);
  await writeChanges(context, effect);
}

/** Writes the rows that a fold has changed, and the columns and rows that are computed from them. */
export async function writeChanges(context: FoldContext, effect: Effect): Promise<void> {
  await deriveColumns(context, effect);
  await writeEffect(context, effect);
  await propagateHeld(context, effect);
}
