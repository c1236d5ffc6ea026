import type { Instant } from "../../base/clock.ts";
import { minuteOf } from "../minute.ts";
import { type State, withSlice } from "../state.ts";
import { fleetRows, isSilent } from "./fleet.ts";
import type { FleetRow } from "./state.ts";

/** The rows of one holder, for painters that draw a lane for each holder. */
export interface FleetLane {
  readonly holder: string;
  /** The indexes of the lane's rows in the list of fleet rows: from `start` up to, but not including, `end`. */
  readonly start: number;
  readonly end: number;
  /** Whether the holder has had no event for too long. */
  readonly isSilent: boolean;
  /** The time of the holder's last event; `undefined` if there is none. */
  readonly lastSeen: Instant | undefined;
}

type LanesState = Pick<State, "fleet" | "now" | "memo">;

/** A lane for each holder in the filtered rows. The holder who has been silent longest comes first. */
export function fleetLanes(state: LanesState): readonly FleetLane[] {
  const { silentAfterMs } = state.fleet;
  return state.memo.last(lanesOf, {
    ...{ rows: fleetRows(state), silentAfterMs, now: minuteOf(state.now) },
  });
}

interface Laned {
  readonly rows: readonly FleetRow[];
  readonly silentAfterMs: number;
  readonly now: Instant;
}

function lanesOf({ rows, silentAfterMs, now }: Laned): readonly FleetLane[] {
  const lanes: FleetLane[] = [];
  for (const [at, row] of rows.entries()) {
    const lane = lanes.at(-1);
    const { holder, last } = row;
    if (lane?.holder === holder) {
      lanes[lanes.length - 1] = { ...lane, end: at + 1 };
      continue;
    }
    const quiet = isSilent({ fleet: { silentAfterMs }, now }, row);
    lanes.push({ holder, start: at, end: at + 1, isSilent: quiet, lastSeen: last?.at });
  }
  return lanes;
}

export function laneOfRow(lanes: readonly FleetLane[], row: number): number {
  return lanes.findIndex(({ start, end }) => row >= start && row < end);
}

/**
 * Moves the cursor to the previous or next lane. The cursor keeps its position in the lane or, in a shorter lane, goes
 * to the last row. Returns `undefined` if there is no such lane.
 */
export function toFleetLane(state: State, by: 1 | -1): State | undefined {
  const lanes = fleetLanes(state);
  const { cursor } = state.fleet;
  const from = laneOfRow(lanes, cursor);
  const [here, next] = [lanes[from], lanes[from + by]];
  if (here === undefined || next === undefined) return undefined;
  const row = Math.min(next.start + cursor - here.start, next.end - 1);
  return withSlice(state, "fleet", { cursor: row });
}

/** Some rows of a lane, and the numbers of rows before and after these rows. */
export interface LanePage {
  readonly first: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Returns the page of up to `size` rows that contains the cursor. If the cursor is in another lane, returns the first
 * page.
 */
export function pageOf({ start, end }: FleetLane, cursor: number, size: number): LanePage {
  const isInside = cursor >= start && cursor < end;
  const page = isInside ? Math.floor((cursor - start) / size) : 0;
  const first = start + page * size;
  const last = Math.min(end, first + size);
  return { first, end: last, before: first - start, after: end - last };
}
