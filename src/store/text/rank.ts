import { normalized } from "../../domain/words.ts";
import { scan } from "./parts.ts";

export interface Texts {
  readonly title: string;
  readonly body: string;
  readonly comments: string;
}

export type Place = keyof Texts;
export const PLACES = ["title", "body", "comments"] as const;

/**
 * A word of the search (or an emoji, or letters of a script without spaces), prepared for the comparison with texts.
 */
export interface SearchWord {
  readonly weight: number;
  /** An emoji, or letters of a script without spaces, which are searched inside of words; undefined for a word. */
  readonly gram: string | undefined;
  /** The words of a text that match this word, each with a factor from 0 to 1 (see `LIKENESS_FACTORS`). */
  readonly words: ReadonlyMap<string, number>;
}

/** How much a similar word counts, compared with the word that was typed. */
export const LIKENESS_FACTORS = { typed: 1, form: 0.75, near: 0.5, synonym: 0.4 } as const;

export interface TextRating {
  /** From 0 to 1; higher is better. */
  readonly score: number;
  /** For each word of the search, how well the text matches it: from 0 (no similar word) to 1 (the word itself). */
  readonly likeness: readonly number[];
  readonly places: readonly Place[];
}

/**
 * The BM25 parameters of each part: how much a word in it counts (`weight`), its usual length in words (`usual`), and
 * how much a greater length reduces the score (`slope`).
 */
const FIELDS: Readonly<Record<Place, { weight: number; usual: number; slope: number }>> = {
  title: { weight: 4, usual: 8, slope: 0.5 },
  body: { weight: 1.4, usual: 80, slope: 0.5 },
  comments: { weight: 1, usual: 80, slope: 0.5 },
};
const SATURATION = 1.4;
/** The share of the score for words that are adjacent as in the search. */
const ADJACENT_SHARE = 0.12;
const NO_PLACES: readonly (readonly [number, number])[] = [];

/**
 * Returns a function that scores texts against the search, with the same result for both databases. The score is BM25F,
 * in which similar words count in part.
 */
export function makeRater(wanted: readonly SearchWord[]): (texts: Texts) => TextRating {
  const byWord = new Map<string, [number, number][]>();
  for (const [unit, { words }] of wanted.entries()) {
    for (const [word, like] of words) {
      const known = byWord.get(word);
      if (known === undefined) byWord.set(word, [[unit, like]]);
      else known.push([unit, like]);
    }
  }
  const hasGrams = wanted.some(({ gram }) => gram !== undefined);
  const total = wanted.reduce((sum, { weight }) => sum + weight, 0);
  return (texts) => {
    const counts = wanted.map(() => 0);
    const likeness = wanted.map(() => 0);
    const beside = new Set<number>();
    const places: Place[] = [];
    for (const place of PLACES) {
      if (texts[place] === "") continue;
      const seen = new Map<number, number>();
      const { words, parts } = scan(texts[place]);
      let before = NO_PLACES;
      for (const word of words) {
        const hits = byWord.get(word) ?? NO_PLACES;
        for (const [unit, like] of hits) {
          seen.set(unit, (seen.get(unit) ?? 0) + like);
          likeness[unit] = Math.max(likeness[unit] ?? 0, like);
          if (before.some(([other]) => other === unit - 1)) beside.add(unit);
        }
        before = hits;
      }
      const lower = hasGrams ? normalized(texts[place]) : "";
      for (const [unit, { gram }] of wanted.entries()) {
        if (gram === undefined || !lower.includes(gram)) continue;
        seen.set(unit, 1);
        likeness[unit] = 1;
      }
      for (const part of new Set(parts)) {
        for (const [unit, like] of byWord.get(part) ?? []) {
          if (seen.has(unit)) continue;
          seen.set(unit, like * LIKENESS_FACTORS.form);
          likeness[unit] = Math.max(likeness[unit] ?? 0, like * LIKENESS_FACTORS.form);
        }
      }
      if (seen.size === 0) continue;
      places.push(place);
      const { weight, usual, slope } = FIELDS[place];
      const length = 1 - slope + (slope * words.length) / usual;
      for (const [unit, count] of seen)
        counts[unit] = (counts[unit] ?? 0) + (weight * count) / length;
    }
    let sum = 0;
    for (const [unit, { weight }] of wanted.entries()) {
      const count = counts[unit] ?? 0;
      sum += weight * (count / (count + SATURATION));
    }
    const ratio = total === 0 ? 0 : sum / total;
    const pairs = wanted.length < 2 ? 0 : beside.size / (wanted.length - 1);
    return {
      score: ratio * (1 - ADJACENT_SHARE) + ADJACENT_SHARE * pairs * ratio,
      likeness,
      places,
    };
  };
}
