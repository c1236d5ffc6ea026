import { hasAsciiWords, normalized, wordsOf } from "../../domain/words.ts";
import { isSpaceless, spacedText } from "./grams.ts";

const CAMEL_CASE = /\p{Ll}\p{Lu}|\p{N}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const SEAM = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const ASCII_HUMPS = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;
const ASCII_SEAM = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const ASCII_WORD = /[A-Za-z0-9]+/g;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const MIN_PART = 2;
/** A longer word is usually data and not a name, so it is not split. */
const MAX_WORD = 200;

/**
 * The parts of a word in camel case: `http`, `server` and `error` of `HTTPServerError`. Empty for other words. Words in
 * snake case and paths need no splitting, since `wordsOf` splits at their signs.
 */
export function partsOf(word: string): readonly string[] {
  if (word.length > MAX_WORD) return [];
  const ascii = hasAsciiWords(word);
  if (!(ascii ? ASCII_HUMPS : CAMEL_CASE).test(word)) return [];
  const parts = word.split(ascii ? ASCII_SEAM : SEAM);
  return parts.length < 2 ? [] : parts.map(normalized).filter((part) => part.length >= MIN_PART);
}

/** The words of a text as `wordsOf` returns them, and the parts of compound words, such as `http` of `HTTPServer`. */
export interface ScannedWords {
  readonly words: readonly string[];
  readonly parts: readonly string[];
}

export function scan(text: string): ScannedWords {
  return hasAsciiWords(text) ? scanAscii(text) : scanAny(text);
}

function scanAscii(text: string): ScannedWords {
  if (!ASCII_HUMPS.test(text)) return { words: wordsOf(text), parts: [] };
  const parts: string[] = [];
  const words: string[] = text.match(ASCII_WORD) ?? [];
  for (const [at, word] of words.entries()) {
    const lower = word.toLowerCase();
    if (lower === word) continue;
    words[at] = lower;
    if (ASCII_HUMPS.test(word)) parts.push(...partsOf(word));
  }
  return { words, parts };
}

function scanAny(text: string): ScannedWords {
  const words = wordsOf(text);
  const hasHumps = CAMEL_CASE.test(text);
  const parts: string[] = [];
  if (!hasHumps && !isSpaceless(text)) return { words, parts };
  for (const word of text.normalize("NFC").match(WORD) ?? []) {
    if (hasHumps) parts.push(...partsOf(word));
    // In a word that mixes scripts, the words in scripts with spaces count as parts.
    if (isSpaceless(word)) parts.push(...wordsOf(spacedText(word)));
  }
  return { words, parts };
}
