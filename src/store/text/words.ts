import { MAX_LABEL_CHARACTERS } from "../../contract/limits.ts";
import { wordsOf } from "../../domain/words.ts";

/** The word in the `scope` column that stands for a project. */
export function projectWord(projectId: number): string {
  return `p${projectId}`;
}

/** The word in the `scope` column of a deleted issue. */
export const DELETED_WORD = "x";

/**
 * The word in the `scope` column that stands for a label. It is hexadecimal, because the tokenizer would split a label
 * at its punctuation. A text that is too long to be a label is cut to one character more than the longest label. So it
 * matches no label, and the word stays within PostgreSQL's limit.
 */
export function labelWord(label: string): string {
  return `l${Buffer.from(label.slice(0, MAX_LABEL_CHARACTERS + 1)).toString("hex")}`;
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

/** Common words of questions and sentences, which say little about the subject. */
const FILLER_WORDS: ReadonlySet<string> = new Set(
  "i we you they he she my our your their its do does did how what when where why which who can could should would if then than so there been being into about some any just".split(
    " ",
  ),
);

/** Whether a search ignores the word if it also has other words. */
export function isStopWord(word: string): boolean {
  return word.length < 2 || STOP_WORDS.has(word) || FILLER_WORDS.has(word);
}
