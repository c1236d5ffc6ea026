import { instantToMs, msToInstant } from "../../base/clock.ts";
import { addTo } from "../../base/lists.ts";
import type { Issue, Standing } from "../issues/issues.ts";
import { withStatus } from "../issues/query.ts";
import { type RelationInputs, relationsOf } from "../issues/relations.ts";
import type { Sort } from "../issues/sort.ts";
import { minuteOf } from "../minute.ts";
import type { State } from "../state.ts";
import { type Row, sortedPlaces } from "./order.ts";
import type { View } from "./state.ts";

/** A column of the board: the rows from `start` up to, but not including, `end`. */
export interface Lane {
  /** A state or an owner; empty for issues without an owner. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface Lanes {
  readonly lanes: readonly Lane[];
  /** The cards of all lanes, one lane after the other. */
  readonly rows: readonly Row[];
  readonly rowOf: ReadonlyMap<string, number>;
}

export const CLOSED_LANE = "Closed";

/** Closed issues stay in the lanes for this many days. */
const CLOSED_DAYS = 7;

/** The name of the lane of each state, from left to right. */
export const STATE_LANES = {
  blocked: "Blocked",
  ready: "Ready",
  waiting: "Waiting",
  closed: CLOSED_LANE,
} as const satisfies Readonly<Record<Standing, string>>;

export function isLanes({ board: { view, search } }: Pick<State, "board">): boolean {
  // Search results are always shown as a list, the best match first.
  if (search?.found !== undefined) return false;
  return view === "states" || view === "owners";
}

export function laneTitle({ board }: Pick<State, "board">, { name }: Lane): string {
  if (board.view === "owners") return name === "" ? "(nobody)" : name;
  return name === CLOSED_LANE ? `Closed ${CLOSED_DAYS}d` : name;
}

const NONE = {
  [STATE_LANES.blocked]: "none is blocked",
  [STATE_LANES.ready]: "none is ready",
  [STATE_LANES.waiting]: "none waits",
  [STATE_LANES.closed]: `none was closed in ${CLOSED_DAYS} days`,
} satisfies Readonly<Record<(typeof STATE_LANES)[Standing], string>>;

/** The text in a lane without cards. Only the lane of a state can be empty: an owner without issues has no lane. */
export function whyLaneEmpty({ name }: Lane): string {
  return Object.entries(NONE).find(([lane]) => lane === name)?.[1] ?? "none";
}

interface Input extends RelationInputs {
  readonly query: string;
  readonly view: View;
  readonly order: Sort;
}

export function lanesOf({ memo, issues, board, now, preferences }: State): Lanes {
  const { query, view, order } = board;
  return memo.last(compute, { memo, issues, query, view, order, now: minuteOf(now), preferences });
}

function compute(input: Input): Lanes {
  return input.view === "owners" ? byOwner(input) : byState(input);
}

/** One lane for each state. The status in the filter is ignored, because the lanes show all states. */
function byState(input: Input): Lanes {
  const { memo, issues, query, order, now } = input;
  const relations = relationsOf(input);
  const found = relations.found(withStatus(query, "all"));
  const lanes = new Map<string, Issue[]>(Object.values(STATE_LANES).map((name) => [name, []]));
  const recent = msToInstant(instantToMs(now) - CLOSED_DAYS * 86_400_000);
  for (const { issue } of sortedPlaces(memo, order, issues)) {
    if (issue === undefined || !found.has(issue)) continue;
    const lane = STATE_LANES[relations.standingOf(issue)];
    if (lane === CLOSED_LANE && (issue.closed_at ?? issue.updated_at) < recent) continue;
    lanes.get(lane)?.push(issue);
  }
  return inLanes(lanes);
}

/** One lane for each owner. Issues without an owner are in the last lane. */
function byOwner(input: Input): Lanes {
  const { memo, issues, query, order } = input;
  const found = relationsOf(input).found(query);
  const lanes = new Map<string, Issue[]>();
  for (const { issue } of sortedPlaces(memo, order, issues)) {
    if (issue === undefined || !found.has(issue)) continue;
    addTo(lanes, issue.owner ?? "", issue);
  }
  const place = (name: string): string => (name === "" ? "1" : `0${name}`);
  return inLanes([...lanes].sort(([a], [b]) => (place(a) < place(b) ? -1 : 1)));
}

function inLanes(named: Iterable<readonly [string, readonly Issue[]]>): Lanes {
  const rows: Row[] = [];
  const lanes: Lane[] = [];
  const rowOf = new Map<string, number>();
  for (const [name, cards] of named) {
    const start = rows.length;
    for (const issue of cards) {
      rowOf.set(issue.uid, rows.length);
      rows.push({ issue, depth: 0, context: false, fold: "leaf" });
    }
    lanes.push({ name, start, end: rows.length });
  }
  return { lanes, rows, rowOf };
}
