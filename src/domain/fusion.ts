/** This file merges the results of search by words and search by meaning (facts search 4). */

/**
 * A result of the search by meaning is dropped if the cosine similarity of its vector and the query's vector is lower
 * than this.
 */
export const LEAST_COSINE = 0.3;

/** Returns how many hits to take from each kind of search, so that the merged list has `limit` results. */
export function candidatesPerSource(limit: number): number {
  return Math.min(Math.max(3 * limit, 50), 200);
}

const RANK_SHIFT = 60;

/** Reciprocal rank fusion: a result that ranks high in both lists comes first. Ranks count from one. */
export function fusedScores(rankings: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [at, uid] of ranking.entries()) {
      scores.set(uid, (scores.get(uid) ?? 0) + 1 / (RANK_SHIFT + at + 1));
    }
  }
  return scores;
}
