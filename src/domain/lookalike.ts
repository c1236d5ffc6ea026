import { codePoints } from "./text.ts";

/**
 * The text of an issue. Two texts are compared to decide whether a new issue is similar to an existing one
 * (docs/contract/http-api.md#65-similar-issues and docs/contract/search.md#6-similar-issues).
 */
export interface Text {
  readonly title: string;
  readonly body: string;
}

export const LOOKALIKE_CANDIDATES = 20;
/** Only this many code points of a body are compared. */
const LOOKALIKE_BODY = 500;

const THRESHOLD = 0.7;
/** Binary fractions put 0.6 + 0.4 × 0.25 slightly below 0.7, but that sum must count as 0.7. */
const TOLERANCE = 1e-9;

export function isLookalike(score: number): boolean {
  return score >= THRESHOLD - TOLERANCE;
}

/**
 * Returns a function that scores the similarity of other texts to `text`, which is split into words only once. If the
 * titles alone rule out similarity, bodies are not compared.
 */
export function lookalikeScorer(text: Text): (other: Text) => number {
  const [title, body] = [tokens(text.title), tokens(beginningOf(text.body))];
  return (other) => {
    const titles = 0.6 * jaccard(title, tokens(other.title));
    if (body.size === 0 || !isLookalike(titles + 0.4)) return titles;
    return titles + 0.4 * jaccard(body, tokens(beginningOf(other.body)));
  };
}

/** False if no other text can count as similar. Without words in the title or in the body, the score is at most 0.6. */
export function mayLookAlike({ title, body }: Text): boolean {
  return tokens(title).size > 0 && tokens(beginningOf(body)).size > 0;
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be by for from has have in is it of on or that the this to was were will with".split(
    " ",
  ),
);
const ENDINGS = ["ing", "ed", "es", "s"] as const;
const SHORTEST = 2;

export function tokens(text: string): ReadonlySet<string> {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(
    words
      .filter((word) => hasCharacters(word, SHORTEST) && !STOP_WORDS.has(word))
      .map(stem)
      .filter((word) => hasCharacters(word, SHORTEST)),
  );
}

/** Removes the first matching suffix if more than one letter remains. */
function stem(word: string): string {
  const ending = ENDINGS.find((end) => word.endsWith(end) && hasCharacters(word, end.length + 2));
  return ending === undefined ? word : word.slice(0, -ending.length);
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let common = 0;
  for (const word of left) if (right.has(word)) common += 1;
  return common / (left.size + right.size - common);
}

function beginningOf(text: string): string {
  return text.length <= LOOKALIKE_BODY
    ? text
    : [...text.slice(0, 2 * LOOKALIKE_BODY)].slice(0, LOOKALIKE_BODY).join("");
}

/** Whether the text has at least this many code points, which are one or two code units each. */
function hasCharacters(text: string, count: number): boolean {
  return text.length >= 2 * count || (text.length >= count && codePoints(text) >= count);
}
