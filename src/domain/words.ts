/**
 * The words of a text as both databases index them: without diacritics, in lower case, split at everything that is
 * neither letter nor digit (docs/contract/search.md#31-the-index). SQLite indexes with its own tokenizer, which finds
 * the same words.
 */
export function wordsOf(text: string): readonly string[] {
  if (hasAsciiWords(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  return normalized(text).match(WORD) ?? [];
}

const ASCII_WORD = /[a-z0-9]+/g;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
/**
 * Characters beyond ASCII that may be letters, digits or marks. Arrows, dashes and quotation marks are not among them.
 */
const BEYOND_ASCII = /[\u0080-\u1fff\u2070-\u218f\u2460-\u24ff\u2776-\u2793\u2c00-\uffff]/;

export function hasAsciiWords(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

/** The text in lower case and without diacritics. */
export function normalized(text: string): string {
  if (hasAsciiWords(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
}

/** Whether two texts have the same words in the same order. False if they have no words. */
export function hasSameWords(one: string, other: string): boolean {
  const words = wordsOf(one);
  return words.length > 0 && words.join(" ") === wordsOf(other).join(" ");
}
