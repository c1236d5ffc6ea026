/** How the half of search that goes by words and the half that goes by meaning become one (facts search 4). */

/** What is less near in meaning is not found. */
export const LEAST_COSINE = 0.3;

/** So many hits of each half are looked at for so many that are wanted. */
export function legDepth(limit: number): number {
  return Math.min(Math.max(3 * limit, 50), 200);
}

const RANK_SHIFT = 60;

/** Reciprocal rank fusion: what stands high in both halves comes first. Ranks count from one. */
export function fusedScores(legs: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const leg of legs) {
    for (const [at, uid] of leg.entries()) {
      scores.set(uid, (scores.get(uid) ?? 0) + 1 / (RANK_SHIFT + at + 1));
    }
  }
  return scores;
}
