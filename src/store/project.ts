import type { StoredEvent } from "../contract/events.ts";
import { evolve, touches } from "../domain/evolve/evolve.ts";
import type { Change } from "../domain/state.ts";
import { derive } from "./derive.ts";
import { gather } from "./gather.ts";
import { load } from "./load.ts";
import { mergeFeeds } from "./merge-feeds.ts";
import type { Projection } from "./projection.ts";
import { settle } from "./settle.ts";
import { writeEffect } from "./write-effect.ts";

/** Folds one event of the log into the tables: loads what it touches, lets the domain evolve it, writes what differs. */
export async function project(projection: Projection, event: StoredEvent): Promise<void> {
  const { connection, loaded } = projection;
  await load(connection, loaded, touches(event));
  const changes = evolve(loaded, event);
  if (changes.length === 0) return;
  if (event.type === "project.merged")
    await mergeFeeds(connection, event.payload.source_uid, event.project_uid);
  await applyChanges(projection, changes);
}

/** Writes what differs, and what is derived from it. */
export async function applyChanges(
  projection: Projection,
  changes: readonly Change[],
): Promise<void> {
  const effect = await gather(projection, changes);
  await derive(projection, effect);
  await writeEffect(projection, effect);
  await settle(projection, effect);
}
