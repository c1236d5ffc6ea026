import { type Instant, instantToMs, msToInstant } from "../../src/base/clock.ts";
import { type Layout, lanesLayout, layoutOf } from "../layout.ts";
import { type Issue, type Issues, relationsOf } from "./issues.ts";
import { isMatch, parseQuery, withStatus } from "./query.ts";
import { comparator, type Order, type Row } from "./rows.ts";
import type { State, View } from "./state.ts";

/** One column of the board: which of the rows stand in it, those from `start` up to `end`. */
export interface Lane {
  /** A state or an owner; empty for what nobody owns. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface Lanes {
  readonly lanes: readonly Lane[];
  /** The cards of all lanes, lane after lane. */
  readonly rows: readonly Row[];
  /** In which row each issue stands. */
  readonly rowOf: ReadonlyMap<string, number>;
}

/** What is closed leaves the board after so many days. */
export const CLOSED_DAYS = 7;
export const STATE_LANES = ["Blocked", "Ready", "Waiting", "Closed"] as const;
export type StateLane = (typeof STATE_LANES)[number];

export function isLanes({ board: { view, search } }: Pick<State, "board">): boolean {
  // What a search found has an order of its own.
  if (search?.found !== undefined) return false;
  return view === "states" || view === "owners";
}

/** What fits on the screen as the board is shown now. */
export function boardLayout(state: State): Layout {
  const { columns, rows, layout } = state;
  return isLanes(state) ? lanesLayout(columns, rows, layout) : layoutOf(columns, rows, layout);
}

/** Lines of the board below its header. */
export function boardHeight(state: State): number {
  return Math.max((boardLayout(state).list?.height ?? 2) - 1, 1);
}

interface Input {
  readonly issues: Issues;
  readonly query: string;
  readonly view: View;
  readonly order: Order;
  readonly now: Instant;
}

let last: { readonly input: Input; readonly lanes: Lanes } | undefined;

/** The lanes and their cards; computed anew only when something they come from changed. */
export function lanesOf({ issues, board: { query, view, order }, now }: State): Lanes {
  const known = last?.input;
  // A scheduled day begins at most a minute late.
  const same =
    known !== undefined &&
    known.issues === issues &&
    known.query === query &&
    known.view === view &&
    known.order === order &&
    known.now.slice(0, 16) === now.slice(0, 16);
  if (last === undefined || !same) {
    const input = { issues, query, view, order, now };
    last = { input, lanes: view === "owners" ? byOwner(input) : byState(input) };
  }
  return last.lanes;
}

/** The lanes are the states, so of the filter all but its status counts. */
function byState({ issues, query: text, order, now }: Input): Lanes {
  const query = parseQuery(withStatus(text, "all"));
  const lanes = new Map<string, Issue[]>(STATE_LANES.map((name) => [name, []]));
  const recent = msToInstant(instantToMs(now) - CLOSED_DAYS * 86_400_000);
  for (const issue of issues.values()) {
    const lane = stateLaneOf(issue, issues, now);
    if (lane === "Closed" && (issue.closed_at ?? issue.updated_at) < recent) continue;
    if (isMatch(issue, query, issues, now)) lanes.get(lane)?.push(issue);
  }
  return sorted(lanes, issues, order);
}

/** Waiting: open, and neither blocked nor ready: parked, scheduled for later, or a parent of open children. */
export function stateLaneOf(issue: Issue, issues: Issues, now: Instant): StateLane {
  if (issue.status === "closed") return "Closed";
  const relations = relationsOf(issues);
  if (relations.isBlocked(issue)) return "Blocked";
  return relations.isReady(issue, now) ? "Ready" : "Waiting";
}

/** The lane of what nobody owns is the last. */
function byOwner({ issues, query: text, order, now }: Input): Lanes {
  const query = parseQuery(text);
  const found = new Map<string, Issue[]>();
  for (const issue of issues.values()) {
    if (!isMatch(issue, query, issues, now)) continue;
    const name = issue.owner ?? "";
    const lane = found.get(name);
    if (lane === undefined) found.set(name, [issue]);
    else lane.push(issue);
  }
  const place = (name: string): string => (name === "" ? "1" : `0${name}`);
  return sorted(
    [...found].sort(([a], [b]) => (place(a) < place(b) ? -1 : 1)),
    issues,
    order,
  );
}

function sorted(
  named: Iterable<readonly [string, readonly Issue[]]>,
  issues: Issues,
  order: Order,
): Lanes {
  const compare = comparator(order, issues);
  const rows: Row[] = [];
  const lanes: Lane[] = [];
  const rowOf = new Map<string, number>();
  for (const [name, cards] of named) {
    const start = rows.length;
    for (const issue of cards.toSorted(compare)) {
      rowOf.set(issue.uid, rows.length);
      rows.push({ issue, depth: 0, context: false, fold: "leaf" });
    }
    lanes.push({ name, start, end: rows.length });
  }
  return { lanes, rows, rowOf };
}
