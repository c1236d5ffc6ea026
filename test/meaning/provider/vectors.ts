import { createHash } from "node:crypto";
import { wordsOf } from "../../../src/domain/words.ts";
import { stemOf } from "../../../src/store/text/stem.ts";
import { synonymsOf } from "../../../src/store/text/synonyms.ts";
import { isStopWord } from "../../../src/store/text/words.ts";

/**
 * The vectors that the provider of the tests gives. Each is a function of the text alone.
 *
 * - `meaning`: near for texts with the same words, other forms of them, or words that mean the same.
 * - `random`: in any direction, so the cosine of two texts is about 0.
 * - `positive`: with positive components only, so the cosine of two texts is about 0.75.
 * - `clustered`: near one of 50 centres.
 * - `anisotropic`: with a large part that all texts have in common, as the vectors of many real models.
 */
export type VectorKind = "meaning" | "random" | "positive" | "clustered" | "anisotropic";

export function vectorOfText(text: string, kind: VectorKind, dims: number): readonly number[] {
  switch (kind) {
    case "meaning":
      return meaningOf(text, dims);
    case "random":
      return noise(text, dims);
    case "positive":
      return noise(text, dims).map((value) => (value + 1) / 2);
    case "clustered":
      return sum(
        noise(`centre ${(randomsOf(text, 1)[0] ?? 0) % 50}`, dims),
        noise(text, dims),
        0.3,
      );
    case "anisotropic":
      return sum(noise("what all have in common", dims), noise(text, dims), 0.75);
  }
}

/** Words that mean the same and that the search by words does not know as such. */
const GROUPS = [
  ["page", "screen", "site", "website"],
  ["invoice", "bill", "receipt"],
  ["car", "vehicle", "automobile"],
  ["login", "sign", "signin"],
  ["phone", "mobile", "handset"],
  ["weather", "forecast", "climate"],
].map((group) => group.map(stemOf));

const PLACES = 8;
const SYNONYM_WEIGHT = 0.7;

function meaningOf(text: string, dims: number): readonly number[] {
  const weights = new Map<string, number>();
  const add = (stem: string, weight: number): void =>
    void weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  const words = new Set(wordsOf(text));
  const telling = [...words].filter((word) => !isStopWord(word));
  for (const word of telling.length > 0 ? telling : words) {
    const { stem, related } = formsOf(word);
    add(stem, 1);
    for (const other of related) add(other, SYNONYM_WEIGHT);
  }
  // A text without words is near to itself alone.
  if (weights.size === 0) add(`text ${text}`, 1);
  const vector = new Array<number>(dims).fill(0);
  for (const [stem, weight] of weights)
    for (const random of randomsOf(stem, PLACES)) {
      const place = (random >>> 1) % dims;
      vector[place] = (vector[place] ?? 0) + (random % 2 === 0 ? weight : -weight);
    }
  // The signs of two words may cancel each other out.
  return vector.every((value) => value === 0) ? noise(text, dims) : vector;
}

/** The forms of the words that were seen: a long text has few different words, and finding synonyms takes long. */
const KNOWN = new Map<string, Forms>();

interface Forms {
  readonly stem: string;
  /** The stems of words that mean the same. */
  readonly related: ReadonlySet<string>;
}

function formsOf(word: string): Forms {
  const known = KNOWN.get(word);
  if (known !== undefined) return known;
  const stem = stemOf(word);
  const forms = { stem, related: relatedOf(word, stem) };
  KNOWN.set(word, forms);
  return forms;
}

function relatedOf(word: string, stem: string): ReadonlySet<string> {
  const own = GROUPS.filter((group) => group.includes(stem)).flat();
  const related = new Set([...synonymsOf(word).map(stemOf), ...own]);
  related.delete(stem);
  return related;
}

function sum(centre: readonly number[], around: readonly number[], weight: number): number[] {
  return centre.map((value, at) => value + weight * (around[at] ?? 0));
}

/** Numbers from -1 to 1. */
function noise(text: string, dims: number): readonly number[] {
  return randomsOf(text, dims).map((random) => random / 2 ** 31 - 1);
}

/** Unsigned numbers of 32 bits that depend on the text alone. */
function randomsOf(text: string, count: number): number[] {
  const bytes = createHash("shake256", { outputLength: 4 * count })
    .update(text)
    .digest();
  return Array.from({ length: count }, (_, at) => bytes.readUInt32LE(4 * at));
}
