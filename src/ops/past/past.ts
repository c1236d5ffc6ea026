import type { MemoryState } from "../../domain/memory.ts";
import type { LabelRow, LinkRow } from "../../domain/state.ts";

export interface Past {
  readonly state: MemoryState;
  readonly labels: ReadonlyMap<string, readonly LabelRow[]>;
  /**
   * The position of each issue and link in the order of creation, which is also the order of their ids in the tables.
   */
  readonly places: ReadonlyMap<string | LinkRow, number>;
}

export function pastOf(state: MemoryState): Past {
  const labels = Map.groupBy(state.rows("label"), ({ issue_uid }) => issue_uid);
  const places = new Map<string | LinkRow, number>();
  for (const { uid } of state.rows("issue")) places.set(uid, places.size);
  for (const row of state.rows("link")) places.set(row, places.size);
  return { state, labels, places };
}
