import { wordsOf } from "../../domain/words.ts";
import { askedGrams, isSpaceless, spacedText } from "./grams.ts";
import { gramMark, LONGEST_PART, partMark } from "./marks.ts";
import type { TextQuery } from "./match.ts";
import { partsOf } from "./parts.ts";
import { isStopWord } from "./words.ts";

/** One element of a search: a word, a letter or a pair of letters of a script without spaces, or an emoji. */
export interface Unit {
  readonly text: string;
  readonly isGram: boolean;
}

export interface Query {
  /**
   * A condition for each part of the query as typed; white space separates the parts. A long query has conditions only
   * for its longest parts.
   */
  readonly typed: readonly TextQuery[];
  /** True if `typed` leaves words out. */
  readonly isTypedCut: boolean;
  /**
   * The elements of the query, each looked up by itself. `parseFile` has two, `parse` and `file`. Words such as `the`
   * are left out if the query has others.
   */
  readonly units: readonly Unit[];
  /** True if the query is too long and part of it is ignored. */
  readonly isCut: boolean;
}

/**
 * The maximum number of words of a query, and of parts of its words. If there are more, the longest are used, since
 * they are usually rare.
 */
export const MOST_TOKENS = 32;
/** How many UTF-16 code units of a query are read. */
const MOST_TEXT = 16_000;

export function queryOf(text: string): Query {
  const read = text.slice(0, MOST_TEXT).replaceAll(/\p{Cs}/gu, " ");
  const all = [...new Set(read.split(/\s+/u))];
  const tokens = all.length <= MOST_TOKENS ? all : longestOf(all, MOST_TOKENS);
  const typed = decidingTokens(tokens).flatMap((token) => typedOf(token) ?? []);
  const isLong = (query: TextQuery) => "phrase" in query && query.phrase.length > MAX_PHRASE_WORDS;
  const units = tokens.flatMap(unitsOf);
  const telling = units.filter((unit) => unit.isGram || !isStopWord(unit.text));
  const distinct = new Map((telling.length > 0 ? telling : units).map((unit) => [unit.text, unit]));
  const some = [...distinct.values()];
  const kept =
    some.length <= MOST_TOKENS ? some : longestOf(some, MOST_TOKENS, (unit) => unit.text);
  return {
    typed: typed.map((query) => (isLong(query) ? beginningOf(query) : query)),
    isTypedCut: tokens.length > MOST_TYPED || typed.some(isLong),
    units: kept,
    isCut: all.length > MOST_TOKENS || some.length > MOST_TOKENS || text.length > MOST_TEXT,
  };
}

/**
 * At most this many parts of a query, the longest, are looked up as typed, since the index list of each part is read.
 */
const MOST_TYPED = 8;

/** If a typed part has more words than this, such as `a-b-c-…`, only its first words are looked up as a phrase. */
const MAX_PHRASE_WORDS = 8;

function beginningOf(query: TextQuery): TextQuery {
  return "phrase" in query ? { phrase: query.phrase.slice(0, MAX_PHRASE_WORDS) } : query;
}

function decidingTokens(tokens: readonly string[]): readonly string[] {
  return tokens.length <= MOST_TYPED ? tokens : longestOf(tokens, MOST_TYPED);
}

function longestOf<T>(
  all: readonly T[],
  most: number,
  textOf = (one: T) => String(one),
): readonly T[] {
  return all.toSorted((a, b) => textOf(b).length - textOf(a).length).slice(0, most);
}

function typedOf(token: string): TextQuery | undefined {
  const grams = askedGrams(token);
  const words = wordsOf(token);
  if (grams.length === 0) return words.length === 0 ? undefined : { phrase: words };
  const spaced = wordsOf(spacedText(token));
  const all = [
    ...grams.map((gram): TextQuery => ({ mark: gramMark(gram) })),
    ...spaced.map((word): TextQuery => wordOrPart(word)),
  ];
  return { all };
}

function unitsOf(token: string): readonly Unit[] {
  const units = askedGrams(token).map((text) => ({ text, isGram: true }));
  for (const raw of spacedText(token)
    .normalize("NFC")
    .match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []) {
    const parts = partsOf(raw);
    const words = parts.length > 0 ? parts : wordsOf(raw);
    units.push(
      ...words.filter((word) => !isSpaceless(word)).map((text) => ({ text, isGram: false })),
    );
  }
  return units;
}

/** The condition that a text has the word, by itself or as a part of a camel-case word. */
export function wordOrPart(word: string): TextQuery {
  if (word.length > LONGEST_PART) return { phrase: [word] };
  return { any: [{ phrase: [word] }, { mark: partMark(word) }] };
}
