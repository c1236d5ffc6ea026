import { describe, expect, test } from "vitest";
import { LEAST_COSINE } from "../../../src/domain/fusion.ts";
import { candidatesFor, closest, EXACT_BELOW } from "../../../src/domain/meaning/nearest.ts";
import { cosine, putBits, wordsOf } from "../../../src/domain/meaning/vectors.ts";

/** The smallest project in which sign bits choose candidates. */
const CHUNKS = EXACT_BELOW;
const DIMS = 192;
const WORDS = wordsOf(DIMS);
const QUERIES = 10;
const LIMIT = 50;
/** `SVC_TEST_SEED` sets another one. */
const SEED = Number(process.env["SVC_TEST_SEED"] ?? 1);

type Random = () => number;

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A direction in which no other is preferred: a sum of uniform numbers is nearly normal. */
function anyDirection(random: Random): Float32Array {
  return unit(Float32Array.from({ length: DIMS }, () => random() + random() + random() - 1.5));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

/** A vector of length 1 between both, nearer to the second one if `weight` is greater. */
function between(one: Float32Array, other: Float32Array, weight: number): Float32Array {
  return unit(one.map((value, at) => value + weight * (other[at] ?? 0)));
}

interface Spread {
  /** Makes a function that gives one vector of a text after another. */
  begin(random: Random): () => Float32Array;
  /** The share of the nearest vectors that are hits which sign bits find at least. */
  readonly least: number;
}

const CLUSTERS = 200;

function clustered(random: Random): () => Float32Array {
  const centres = Array.from({ length: CLUSTERS }, () => anyDirection(random));
  return () => {
    const centre = centres[Math.floor(random() * CLUSTERS)] ?? anyDirection(random);
    return between(centre, anyDirection(random), 0.8);
  };
}

/** Ways in which the vectors of texts may be spread. */
const SPREADS: Readonly<Record<string, Spread>> = {
  "in clusters": { begin: clustered, least: 0.98 },
  "in clusters with a part that all have in common": {
    begin: (random) => {
      const common = anyDirection(random);
      const next = clustered(random);
      return () => between(next(), common, 0.8);
    },
    least: 0.95,
  },
  "evenly in all directions": { begin: (random) => () => anyDirection(random), least: 0.9 },
};

function bitsOf(vectors: readonly Float32Array[]): Uint32Array {
  const bits = new Uint32Array(vectors.length * WORDS);
  for (const [at, vector] of vectors.entries()) putBits(vector, bits, at * WORDS);
  return bits;
}

/** The share of the nearest 50 vectors, as far as they are hits, that are among the candidates of the sign bits. */
function recallOf(vectors: readonly Float32Array[], queries: readonly Float32Array[]) {
  const bits = bitsOf(vectors);
  let [hits, found] = [0, 0];
  for (const query of queries) {
    const cosines = vectors.map((vector) => cosine(vector, query));
    const nearest = [...cosines.keys()]
      .filter((chunk) => (cosines[chunk] ?? 0) >= LEAST_COSINE)
      .sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0))
      .slice(0, LIMIT);
    const most = candidatesFor(LIMIT, vectors.length);
    const candidates = new Set(closest(bits, WORDS, bitsOf([query]), most));
    hits += nearest.length;
    found += nearest.filter((chunk) => candidates.has(chunk)).length;
  }
  return { hits, recall: found / hits };
}

describe("the candidates that sign bits choose have nearly all hits that an exact pass finds", () => {
  test.each(Object.keys(SPREADS))(`in vectors that are spread %s (seed ${SEED})`, (name) => {
    const random = randomOf(SEED);
    const { begin, least } = SPREADS[name] ?? { begin: clustered, least: 1 };
    const vectors = Array.from({ length: CHUNKS }, begin(random));
    // Each query is near one of the texts.
    const queries = Array.from({ length: QUERIES }, () => {
      const text = vectors[Math.floor(random() * CHUNKS)] ?? anyDirection(random);
      return between(text, anyDirection(random), 1);
    });
    const { hits, recall } = recallOf(vectors, queries);
    expect(hits).toBeGreaterThanOrEqual(QUERIES);
    expect(recall).toBeGreaterThanOrEqual(least);
  });
});
