import { indexGrams } from "./grams.ts";
import { scan } from "./parts.ts";

/** The word in the `scope` column that stands for one part of a camel-case word, such as `server` in `HTTPServer`. */
export function partMark(part: string): string {
  return `w${part}`;
}

/**
 * The word in the `scope` column that stands for an emoji or for letters of a script without spaces. It is hexadecimal,
 * because SQLite's tokenizer splits at emoji.
 */
export function gramMark(gram: string): string {
  return `g${Buffer.from(gram).toString("hex")}`;
}

interface Texts {
  readonly title: string;
  readonly body: string;
  readonly comments: string;
}

/**
 * The size limit of what `marksOf` returns, so that it fits into a PostgreSQL vector together with the words.
 */
const MOST_BYTES = 250_000;
export const LONGEST_PART = 64;
const MARK_BYTES = 10;
/** The maximum number of words that one issue adds to the table `text_word`. Texts with more words are mostly data. */
const MOST_WORDS = 5000;

/**
 * Returns the words of the `scope` column that make an issue findable by the parts of camel-case words, by emoji and by
 * scripts without spaces. Adds the words and parts of the texts to `words`.
 */
export function marksOf({ title, body, comments }: Texts, words: Set<string>): readonly string[] {
  const own: string[] = [];
  const marks = new Set<string>();
  let bytes = 0;
  const add = (mark: string): boolean => {
    if (!marks.has(mark)) bytes += Buffer.byteLength(mark) + MARK_BYTES;
    if (bytes <= MOST_BYTES) marks.add(mark);
    return bytes <= MOST_BYTES;
  };
  for (const text of [title, body, comments]) {
    if (text === "") continue;
    const scanned = scan(text);
    for (const word of scanned.words) own.push(word);
    for (const part of scanned.parts)
      if (part.length <= LONGEST_PART && add(partMark(part))) own.push(part);
    for (const gram of indexGrams(text)) add(gramMark(gram));
  }
  const kept = own.length > MOST_WORDS ? [...new Set(own)].slice(0, MOST_WORDS) : own;
  for (const word of kept) words.add(word);
  return [...marks];
}
