import type { Issue } from "../issues/issues.ts";
import { isMatch, parseQuery } from "../issues/query.ts";
import { type RelationInputs, relationsOf } from "../issues/relations.ts";
import type { Sort } from "../issues/sort.ts";
import { minuteOf } from "../minute.ts";
import { nextReading, type Place, type Row, sortedPlaces } from "./order.ts";

export interface RowsInput extends RelationInputs {
  /** Issues with a write in flight, as the daemon last sent them. */
  readonly truth: ReadonlyMap<string, Issue>;
  readonly query: string;
  readonly flat: boolean;
  readonly order: Sort;
  readonly folded: ReadonlySet<string>;
}

export function rowsOf(input: RowsInput): readonly Row[] {
  return input.memo.last(compute, { ...input, now: minuteOf(input.now) });
}

function compute(input: RowsInput): readonly Row[] {
  const { memo, issues, flat, order, folded } = input;
  const matches = matchesOf(input);
  const places = sortedPlaces(memo, order, issues);
  if (!flat) return nested(places, matches, folded, nextReading(memo));
  const rows: Row[] = [];
  for (const place of places) {
    const { issue } = place;
    if (issue !== undefined && matches.has(issue)) rows.push(flatRow(place, issue));
  }
  return rows;
}

type Filtered = RelationInputs & Pick<RowsInput, "truth" | "query">;

/**
 * The issues that the filter finds. If a write in flight would remove an issue from the board, the issue stays in this
 * set until the daemon has answered.
 */
export function matchesOf(input: Filtered): ReadonlySet<Issue> {
  const { issues, truth, query: text } = input;
  const found = relationsOf(input).found(text);
  if (truth.size === 0) return found;
  const query = parseQuery(text);
  const { status } = query;
  const wanted = status === "blocked" || status === "waiting" ? status : "ready";
  const around = { ...relationsOf(input).around, standingOf: () => wanted } as const;
  const all = new Set(found);
  for (const [uid, real] of truth) {
    const shown = issues.get(uid);
    if (shown !== undefined && isMatch(real, query, around)) all.add(shown);
  }
  return all;
}

/** The matching issues and the ancestors that lead to them. */
function nested(
  places: readonly Place[],
  matches: ReadonlySet<Issue>,
  folded: ReadonlySet<string>,
  reading: number,
): readonly Row[] {
  for (const place of places) {
    if (place.issue === undefined || !matches.has(place.issue)) continue;
    place.matching = reading;
    for (let at: Place | undefined = place; at?.issue !== undefined; at = at.parent) {
      if (at.reading === reading) break;
      at.reading = reading;
      at.first = undefined;
    }
  }
  const roots: Place[] = [];
  for (const place of places) {
    if (place.reading !== reading) continue;
    const { parent } = place;
    if (parent?.issue === undefined) roots.push(place);
    else append(parent, place);
  }
  const rows: Row[] = [];
  const add = (place: Place, depth: number): void => {
    const { issue, first } = place;
    if (issue === undefined) return;
    const isFolded = folded.size > 0 && folded.has(issue.uid);
    const fold = first === undefined ? "leaf" : isFolded ? "folded" : "open";
    rows.push(rowOf(place, issue, depth, place.matching !== reading, fold));
    if (isFolded) return;
    for (let child = first; child !== undefined; child = child.next) add(child, depth + 1);
  };
  for (const root of roots) add(root, 0);
  return rows;
}

function append(parent: Place, place: Place): void {
  if (parent.first === undefined) parent.first = place;
  else if (parent.last !== undefined) parent.last.next = place;
  parent.last = place;
  place.next = undefined;
}

/** The row of an issue in a list that is not nested. */
export function flatRow(place: Place, issue: Issue): Row {
  return rowOf(place, issue, 0, false, "leaf");
}

/** Makes the row of an issue. If nothing in the row has changed, returns the same object as the last time. */
function rowOf(
  place: Place,
  issue: Issue,
  depth: number,
  context: boolean,
  fold: Row["fold"],
): Row {
  const { row } = place;
  const isSame =
    row?.issue === issue && row.depth === depth && row.context === context && row.fold === fold;
  return isSame ? row : (place.row = { issue, depth, context, fold });
}
