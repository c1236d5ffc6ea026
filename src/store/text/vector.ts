import { wordsOf } from "../../domain/words.ts";
import { blocksOf } from "./blocks.ts";

export interface IndexedText {
  readonly id: number;
  readonly scope: readonly string[];
  readonly title: string;
  readonly body: string;
  readonly comments: string;
}

/**
 * Returns the text of an issue as a PostgreSQL `tsvector`. It is built here and not by PostgreSQL's parser, so that
 * both databases split words alike. The weight of a word tells its column: A title, B body, C comments. D marks words
 * that begin with `#`, which stand for project, labels and the like (`marks.ts`).
 */
export function vectorOf({ id, scope, title, body, comments }: IndexedText): string {
  const marks = [...scope, ...blocksOf(id)];
  const lexemes = new Map<string, string[]>(marks.map((word) => [`#${word}`, ["1D"]]));
  let position = 2;
  let bytes = 0;
  for (const [weight, text] of [
    ["A", title],
    ["B", body],
    ["C", comments],
  ] as const) {
    for (const word of wordsOf(text)) {
      const key = lexeme(word);
      const places = lexemes.get(key) ?? [];
      if (places.length === 0) {
        lexemes.set(key, places);
        bytes += Buffer.byteLength(key) + LEXEME_BYTES;
      }
      if (places.length < MOST_PLACES || places.at(-1)?.endsWith(weight) === false)
        places.push(`${Math.min(position, LAST_POSITION)}${weight}`);
      bytes += PLACE_BYTES;
      position += 1;
      if (bytes > MOST_BYTES) return literal(lexemes);
    }
    // Leave a gap in the positions between two columns, so that no phrase matches across both.
    position += 1;
  }
  return literal(lexemes);
}

/**
 * These values stay within PostgreSQL's limits: 1 MiB per vector, 2 KiB per lexeme, 255 positions per lexeme, and
 * positions up to 16383.
 */
const MOST_BYTES = 700_000;
const LEXEME_BYTES = 8;
const PLACE_BYTES = 2;
const MOST_PLACES = 250;
const LAST_POSITION = 16_383;
const LONGEST_WORD = 400;

/** Cuts a word to the maximum length of a lexeme. */
export function lexeme(word: string): string {
  return word.length <= LONGEST_WORD
    ? word
    : word.slice(0, LONGEST_WORD).replace(/[\ud800-\udbff]$/, "");
}

/** Lexemes consist of letters and digits, some with a `#` in front. None contains a quote that would need escaping. */
function literal(lexemes: ReadonlyMap<string, readonly string[]>): string {
  return [...lexemes].map(([word, places]) => `'${word}':${places.join(",")}`).join(" ");
}
