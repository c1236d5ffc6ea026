import { instantToMs } from "../../base/clock.ts";
import { CHANGED_MS } from "../events.ts";
import type { LiveEvent } from "../message.ts";
import { type State, withSlice } from "../state.ts";

/** Highlights the rows that others have changed, unless the person wants no motion. */
export function withChanged(state: State, events: readonly LiveEvent[]): State {
  if (state.preferences.calm) return state;
  const changed = new Map(state.board.changed);
  for (const { actor, uids } of events)
    if (actor !== state.session.actor) for (const uid of uids) changed.set(uid, state.now);
  return withSlice(state, "board", { changed });
}

/** Ends the highlight of rows that were changed longer than `CHANGED_MS` ago. */
export function withFaded(state: State): State {
  if (state.preferences.calm) return state;
  const isNew = (at: State["now"]): boolean =>
    instantToMs(state.now) - instantToMs(at) < CHANGED_MS;
  const changed = new Map([...state.board.changed].filter(([, at]) => isNew(at)));
  return withSlice(state, "board", { changed });
}
