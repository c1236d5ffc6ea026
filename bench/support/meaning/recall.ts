import { LEAST_COSINE } from "../../../src/domain/fusion.ts";
import { candidatesFor, closest } from "../../../src/domain/meaning/nearest.ts";
import { cosine, normalised, putBits, wordsOf } from "../../../src/domain/meaning/vectors.ts";
import { type VectorKind, vectorOfText } from "../../../test/meaning/provider/vectors.ts";

/** How many of the nearest vectors are to be found. */
export const NEAREST = 50;

/** Returns the vector of each text as the provider of the tests gives it. */
export function vectorsOfTexts(
  texts: readonly string[],
  kind: VectorKind,
  dims: number,
): readonly Float32Array[] {
  return texts.map((text) => {
    const vector = normalised(vectorOfText(text, kind, dims), dims);
    if (typeof vector === "string") throw new Error(`no vector: ${vector}`);
    return vector;
  });
}

export interface Recall {
  /** The share of the nearest vectors that are among the candidates whose sign bits agree best. */
  readonly share: number;
  /** The same of those vectors only that are near enough to be hits. NaN if there are none. */
  readonly hitShare: number;
  /** The mean time to find the candidates and compare them, and to compare all vectors, in milliseconds. */
  readonly bitsMs: number;
  readonly exactMs: number;
}

/** Compares what the sign bits find with the exact pass over all vectors. */
export function recallOf(
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): Recall {
  const dims = vectors[0]?.length ?? 0;
  const words = wordsOf(dims);
  const bits = new Uint32Array(vectors.length * words);
  for (const [at, vector] of vectors.entries()) putBits(vector, bits, at * words);
  const most = candidatesFor(NEAREST, vectors.length);
  const sum = { found: 0, hits: 0, hitsFound: 0, bitsMs: 0, exactMs: 0 };
  for (const query of queries) {
    const begun = performance.now();
    const queryBits = new Uint32Array(words);
    putBits(query, queryBits, 0);
    const candidates = new Set(closest(bits, words, queryBits, most));
    for (const at of candidates) cosine(query, vectors[at] ?? query);
    const between = performance.now();
    const cosines = Float64Array.from(vectors.keys(), (at) => cosine(query, vectors[at] ?? query));
    sum.exactMs += performance.now() - between;
    const nearest = [...cosines.keys()]
      .sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0))
      .slice(0, NEAREST);
    sum.bitsMs += between - begun;
    for (const at of nearest) {
      const isFound = candidates.has(at) ? 1 : 0;
      const isHit = (cosines[at] ?? 0) >= LEAST_COSINE ? 1 : 0;
      sum.found += isFound;
      sum.hits += isHit;
      sum.hitsFound += isFound * isHit;
    }
  }
  const asked = queries.length;
  return {
    share: sum.found / (asked * Math.min(NEAREST, vectors.length)),
    hitShare: sum.hitsFound / sum.hits,
    bitsMs: sum.bitsMs / asked,
    exactMs: sum.exactMs / asked,
  };
}
