import type { Standing } from "./issues.ts";

/**
 * A part of a progress bar: `count` issues have the standing `is`. The value `open` is used if it is not known here
 * which open issues are ready.
 */
export interface Part {
  readonly is: Standing | "open";
  readonly count: number;
}

/** The order of the parts in a progress bar: what is done, then what can be done, then what cannot. */
const ORDER: readonly Part["is"][] = ["closed", "ready", "waiting", "blocked", "open"];

/** Counts the issues of each standing. Standings without issues are left out. */
export function partsOf(standings: Iterable<Part["is"]>): readonly Part[] {
  const counts = new Map<Part["is"], number>();
  for (const is of standings) counts.set(is, (counts.get(is) ?? 0) + 1);
  return inOrder(counts);
}

export function inOrder(counts: ReadonlyMap<Part["is"], number>): readonly Part[] {
  return ORDER.map((is) => ({ is, count: counts.get(is) ?? 0 })).filter(({ count }) => count > 0);
}

/** The standing of an issue that is not on the board. If it is open, it counts as ready unless it is blocked. */
export function standingFor(status: "open" | "closed", isBlocked: boolean): Standing {
  if (status === "closed") return "closed";
  return isBlocked ? "blocked" : "ready";
}
