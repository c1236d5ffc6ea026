import { indexGrams } from "./grams.ts";
import { scan } from "./parts.ts";

/** The word of the scope that stands for a part of a word in camel case. */
export function partMark(part: string): string {
  return `w${part}`;
}

/** Hex, because the tokenizer of SQLite splits at emoji. */
export function gramMark(gram: string): string {
  return `g${Buffer.from(gram).toString("hex")}`;
}

interface Texts {
  readonly title: string;
  readonly body: string;
  readonly comments: string;
}

/** Bytes of marks that an issue has at most: with its words they fit into a vector of PostgreSQL. */
const MOST_BYTES = 250_000;
export const LONGEST_PART = 64;
const MARK_BYTES = 10;
/** Words of one issue that join the vocabulary: of more, most are data. */
const MOST_WORDS = 5000;

/**
 * What the words of a text alone do not show: parts of words, and scripts without spaces. Adds words and parts to
 * `words`.
 */
export function marksOf({ title, body, comments }: Texts, words: Set<string>): readonly string[] {
  const own = new Set<string>();
  const keep = (word: string) => {
    if (own.size < MOST_WORDS) own.add(word);
  };
  const marks = new Set<string>();
  let bytes = 0;
  const add = (mark: string): boolean => {
    if (!marks.has(mark)) bytes += Buffer.byteLength(mark) + MARK_BYTES;
    if (bytes <= MOST_BYTES) marks.add(mark);
    return bytes <= MOST_BYTES;
  };
  for (const text of [title, body, comments]) {
    const scanned = scan(text);
    for (const word of scanned.words) keep(word);
    for (const part of scanned.parts)
      if (part.length <= LONGEST_PART && add(partMark(part))) keep(part);
    for (const gram of indexGrams(text)) add(gramMark(gram));
  }
  for (const word of own) words.add(word);
  return [...marks];
}
