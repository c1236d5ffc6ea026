import { NO_FILTER, parseQuery, partsOf, termOf, withStatus } from "../issues/query.ts";
import { type RelationInputs, relationsOf } from "../issues/relations.ts";
import { minuteOf } from "../minute.ts";
import type { State } from "../state.ts";
import type { View } from "./state.ts";

/** A filter that differs from the board's filter in one condition and finds issues. */
export interface NearMiss {
  readonly query: string;
  /** What differs from the filter of the board, such as `without label:ui` or `with status:all`. */
  readonly differs: string;
  readonly isStatus: boolean;
  readonly count: number;
}

const MAX_NEAR_MISSES = 2;

/** Only this many conditions are tried, because a pasted text may have thousands of words. */
const MOST_TRIED = 8;

/** The near misses that find the most issues. Called only when the board's filter finds no issues. */
export function nearMisses({
  memo,
  issues,
  board: { query, view },
  now,
  preferences,
}: State): readonly NearMiss[] {
  return memo.last(compute, { memo, issues, query, view, now: minuteOf(now), preferences });
}

interface Input extends RelationInputs {
  readonly query: string;
  readonly view: View;
}

function compute(input: Input): readonly NearMiss[] {
  const { query, view } = input;
  const relations = relationsOf(input);
  const parts = partsOf(query);
  const isStatus = (part: string): boolean => termOf(part).is === "status";
  const without = [...new Set(parts)]
    .filter((part) => !isStatus(part))
    .slice(0, MOST_TRIED)
    .map((part) => ({
      query: parts.filter((other) => other !== part).join(" "),
      differs: `without ${part}`,
      isStatus: false,
    }));
  const anyStatus = { query: withStatus(query, "all"), differs: "with status:all", isStatus: true };
  // The lanes by state show all states, whatever the filter says.
  const wider = view === "states" ? without : [...without, anyStatus];
  return wider
    .filter((one) => !isSame(one.query, query) && !isSame(one.query, NO_FILTER))
    .map((one) => ({ ...one, count: relations.countOnce(one.query) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_NEAR_MISSES);
}

function isSame(query: string, other: string): boolean {
  return JSON.stringify(parseQuery(query)) === JSON.stringify(parseQuery(other));
}
