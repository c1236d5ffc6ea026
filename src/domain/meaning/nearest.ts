import { LEAST_COSINE } from "../fusion.ts";

/**
 * How the vectors that are nearest to a query are found. Sign bits choose the candidates, and the exact cosine of these
 * decides: one exact pass over 100,000 vectors of 768 components would take ten times as long.
 */

/** Fewer chunks than this are all scored exactly. */
export const EXACT_BELOW = 20_000;

/** How many candidates the sign bits choose at least. */
const LEAST_CANDIDATES = 2000;

/** Returns how many of `chunks` to score exactly, if `limit` issues are wanted. */
export function candidatesFor(limit: number, chunks: number): number {
  if (chunks < EXACT_BELOW) return chunks;
  return Math.max(LEAST_CANDIDATES, 10 * limit);
}

/**
 * Returns the numbers of the chunks whose sign bits differ least from those of the query, at most `most`: by distance,
 * then by number. `words` is how many words of `bits` each chunk takes. A chunk whose mark in `among` is 0 is left out.
 */
export function closest(
  bits: Uint32Array,
  words: number,
  query: Uint32Array,
  most: number,
  among?: Uint8Array,
): Uint32Array {
  const count = Math.floor(bits.length / words);
  const distances = distancesTo(bits, words, query, count);
  // The number of chunks at each distance, so that no sorting is needed.
  const counts = new Uint32Array(words * 32 + 1);
  for (let chunk = 0; chunk < count; chunk++) {
    if (among?.[chunk] === 0) continue;
    const distance = distances[chunk] as number;
    counts[distance] = (counts[distance] as number) + 1;
  }
  const { starts, total } = startsOf(counts);
  const found = new Uint32Array(Math.min(most, total));
  for (let chunk = 0; chunk < count; chunk++) {
    if (among?.[chunk] === 0) continue;
    const distance = distances[chunk] as number;
    const place = starts[distance] as number;
    if (place < found.length) found[place] = chunk;
    starts[distance] = place + 1;
  }
  return found;
}

/** Returns the place of the first chunk of each distance, when all are ordered by distance. */
function startsOf(counts: Uint32Array): { readonly starts: Uint32Array; readonly total: number } {
  const starts = new Uint32Array(counts.length);
  let total = 0;
  for (const [distance, many] of counts.entries()) {
    starts[distance] = total;
    total += many;
  }
  return { starts, total };
}

/** Returns in how many bits each chunk differs from the query. */
function distancesTo(
  bits: Uint32Array,
  words: number,
  query: Uint32Array,
  count: number,
): Uint16Array {
  const distances = new Uint16Array(count);
  for (let chunk = 0, at = 0; chunk < count; chunk++) {
    let distance = 0;
    for (let word = 0; word < words; word++, at++) {
      // Counts the bits of a word: first in pairs, then in fours, then in bytes, whose sum is in the highest byte.
      let different = (bits[at] as number) ^ (query[word] as number);
      different -= (different >>> 1) & 0x5555_5555;
      different = (different & 0x3333_3333) + ((different >>> 2) & 0x3333_3333);
      different = (different + (different >>> 4)) & 0x0f0f_0f0f;
      distance += Math.imul(different, 0x0101_0101) >>> 24;
    }
    distances[chunk] = distance;
  }
  return distances;
}

/** An issue and the score of its best chunk. `issue` is a number that the caller gave to the issue. */
export interface IssueScore {
  readonly issue: number;
  readonly cosine: number;
}

/** The scores of chunks: the issue of each one, and its cosine. A cosine is NaN if the chunk has no vector any more. */
export interface ChunkScores {
  readonly issues: Uint32Array;
  readonly cosines: Float64Array;
}

/**
 * Returns the issues with the best scores, at most `limit`: by the score of their best chunk, then by number. Scores
 * under `LEAST_COSINE` are left out.
 */
export function bestIssues({ issues, cosines }: ChunkScores, limit: number): readonly IssueScore[] {
  const best = new Map<number, number>();
  for (let at = 0; at < cosines.length; at++) {
    const [issue, found] = [issues[at] as number, cosines[at] as number];
    if (found >= LEAST_COSINE && found > (best.get(issue) ?? -1)) best.set(issue, found);
  }
  return [...best]
    .map(([issue, found]) => ({ issue, cosine: found }))
    .sort((a, b) => b.cosine - a.cosine || a.issue - b.issue)
    .slice(0, limit);
}

/**
 * Whether more candidates would hardly give another hit: all `all` chunks were scored, or none of the last quarter of
 * the candidates is near enough. `cosines` are the scores of the candidates, by the distance of their sign bits.
 */
export function isExhausted(all: number, cosines: Float64Array): boolean {
  if (cosines.length >= all) return true;
  const tail = cosines.subarray(Math.floor((cosines.length * 3) / 4));
  return !tail.some((cosine) => cosine >= LEAST_COSINE);
}
