import { MAX_LABEL_CHARACTERS } from "../../contract/limits.ts";
/**
 * The words of a text as both databases index them: without diacritics, in lower case, split at everything that is
 * neither letter nor digit (facts search, 3). SQLite indexes with its own tokenizer, which finds the same words.
 */
export function wordsOf(text: string): readonly string[] {
  return plain(text).match(WORD) ?? [];
}

const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const ASCII = /^[\0-\x7f]*$/;

function plain(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
}

/**
 * The phrases of a search: each run of text between white space is one phrase, so `foo-bar` finds the two words next to
 * each other. A run without a word is ignored. There are no operators.
 */
export function phrasesOf(query: string): readonly (readonly string[])[] {
  return query
    .split(/\s+/u)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

/** The word that stands for a project in the scope. */
export function projectWord(projectId: number): string {
  return `p${projectId}`;
}

/**
 * The word that stands for a label in the scope. Hex, because the tokenizer would split at a label's own punctuation.
 * A text that is too long to be a label is cut to one character more than the longest label. So it matches no label,
 * and the word stays within PostgreSQL's limit.
 */
export function labelWord(label: string): string {
  return `l${Buffer.from(label.slice(0, MAX_LABEL_CHARACTERS + 1)).toString("hex")}`;
}

/** Whether the words contain those of the phrase next to each other. */
export function holdsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  const [first, ...others] = phrase;
  if (first === undefined) return false;
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1)) {
    if (others.every((word, next) => words[at + 1 + next] === word)) return true;
  }
  return false;
}

/** Words too common to tell titles apart. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be by for from has have in is it of on or that the this to was were will with".split(
    " ",
  ),
);

/** The words of a title without the common ones, longest first, because long words are usually rare. */
export function titleWords(title: string): readonly string[] {
  const words = wordsOf(title).filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  return [...new Set(words)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}
