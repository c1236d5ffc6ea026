/** This file merges the results of search by words and search by meaning (docs/contract/search.md#43-fusion). */

/**
 * A result of the search by meaning is dropped if the cosine similarity of its vector and the query's vector is lower
 * than this.
 */
export const LEAST_COSINE = 0.3;

/** Returns how many hits to take from each kind of search, if the merged list shall have `limit` results. */
export function candidatesPerSource(limit: number): number {
  return Math.min(Math.max(3 * limit, 50), 200);
}

/** A hit of the search by words. `pinned`: the query is an id of the issue, or its whole title. */
export interface WordHit {
  readonly uid: string;
  readonly pinned?: boolean;
}

interface Placed {
  readonly uid: string;
  readonly score: number;
}

/** The best hits by words lose at most one place to hits by meaning, however many of those there are. */
const GUARDED = 5;

/**
 * Merges the hits by words with those by meaning, `near`, both best first:
 *
 * - pinned hits come first, in their order;
 * - then the hits come by reciprocal rank fusion, so a hit that ranks high in both lists comes first, and `tie` decides
 *   between equal scores;
 * - but each of the first five hits by words stands at most one place lower than without the hits by meaning.
 *
 * A score is never greater than that of the place above.
 */
export function hybridOrder(
  words: readonly WordHit[],
  near: readonly string[],
  tie: (a: string, b: string) => number,
): readonly Placed[] {
  const scores = fusedScores([words.map(({ uid }) => uid), near]);
  const scoreOf = (uid: string): number => scores.get(uid) ?? 0;
  const pinned = words.filter((hit) => hit.pinned === true);
  const byWords = [...pinned, ...words.filter((hit) => hit.pinned !== true)];
  const byScore = [...scores.keys()].sort((a, b) => scoreOf(b) - scoreOf(a) || tie(a, b));
  const placed = new Set(pinned.map(({ uid }) => uid));
  const guarded = byWords.slice(0, GUARDED).map(({ uid }) => uid);
  for (const uid of byScore) {
    for (const due of guarded) if (guarded[placed.size - 1] === due) placed.add(due);
    placed.add(uid);
  }
  return descending([...placed].map((uid) => ({ uid, score: scoreOf(uid) })));
}

const RANK_SHIFT = 60;

/** Reciprocal rank fusion: a result that ranks high in both lists comes first. Ranks count from one. */
function fusedScores(rankings: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [at, uid] of ranking.entries()) {
      scores.set(uid, (scores.get(uid) ?? 0) + 1 / (RANK_SHIFT + at + 1));
    }
  }
  return scores;
}

function descending(hits: readonly Placed[]): readonly Placed[] {
  let least = Number.POSITIVE_INFINITY;
  return hits.map(({ uid, score }) => {
    least = Math.min(least, score);
    return { uid, score: least };
  });
}
