import type { Instant } from "../../base/clock.ts";
import { minuteOf } from "../minute.ts";
import { type State, withSlice } from "../state.ts";
import { fleetRows, isSilent } from "./fleet.ts";
import type { FleetRow } from "./state.ts";

/** What one person holds, for painters that draw a lane for each person. */
export interface FleetLane {
  readonly holder: string;
  /** The rows of the lane among those of the fleet: from `start` to the one before `end`. */
  readonly start: number;
  readonly end: number;
  /** Whether nothing was heard of the person for too long. */
  readonly isSilent: boolean;
  /** When something was heard of the person last; `undefined` if nothing ever was. */
  readonly heard: Instant | undefined;
}

type Known = Pick<State, "fleet" | "now" | "memo">;

/** A lane for each holder in the filtered rows. The holder who has been silent longest comes first. */
export function fleetLanes(state: Known): readonly FleetLane[] {
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
    lanes.push({ holder, start: at, end: at + 1, isSilent: quiet, heard: last?.at });
  }
  return lanes;
}

/** The number of the lane that contains the row; -1 if there is none. */
export function laneOfRow(lanes: readonly FleetLane[], row: number): number {
  return lanes.findIndex(({ start, end }) => row >= start && row < end);
}

/**
 * Moves the cursor to the lane before or after its own. There it goes to the row at the same place in the lane or, in a
 * shorter lane, to the last row. `undefined` if there is no such lane.
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

/** Some rows of a lane, and how many there are before and after them. */
export interface LanePage {
  readonly first: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/** The `size` rows of a lane that are shown at once: those with the cursor, else the first ones. */
export function pageOf({ start, end }: FleetLane, cursor: number, size: number): LanePage {
  const isInside = cursor >= start && cursor < end;
  const page = isInside ? Math.floor((cursor - start) / size) : 0;
  const first = start + page * size;
  const last = Math.min(end, first + size);
  return { first, end: last, before: first - start, after: end - last };
}
