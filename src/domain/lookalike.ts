import { codePoints } from "./text.ts";

/** Whether a new issue says what another already says (facts http-api 6.5, search 6). */
export interface Text {
  readonly title: string;
  readonly body: string;
}

/** Candidates that are compared. */
export const LOOKALIKE_CANDIDATES = 20;
/** Code points of a body that are looked at. */
const LOOKALIKE_BODY = 500;

const THRESHOLD = 0.7;
/** 0.6 + 0.4 × 0.25 must count as 0.7 although binary fractions say a little less. */
const TOLERANCE = 1e-9;

export function isLookalike(score: number): boolean {
  return score >= THRESHOLD - TOLERANCE;
}

/**
 * Scores others against one text, whose words are taken apart once. Where the titles leave no chance of a look-alike
 * the bodies are not compared, and the score is what the titles give.
 */
export function lookalikeScorer(text: Text): (other: Text) => number {
  const [title, body] = [tokens(text.title), tokens(head(text.body))];
  return (other) => {
    const titles = 0.6 * jaccard(title, tokens(other.title));
    if (body.size === 0 || !isLookalike(titles + 0.4)) return titles;
    return titles + 0.4 * jaccard(body, tokens(head(other.body)));
  };
}

/** A text without words in title or body scores 0.6 at most, so no other can be its look-alike. */
export function mayLookAlike({ title, body }: Text): boolean {
  return tokens(title).size > 0 && tokens(head(body)).size > 0;
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

/** Takes one ending away, the first that fits, when more than one letter stays. */
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

function head(text: string): string {
  return text.length <= LOOKALIKE_BODY
    ? text
    : [...text.slice(0, 2 * LOOKALIKE_BODY)].slice(0, LOOKALIKE_BODY).join("");
}

/** Whether the text has at least so many code points, each of which is one or two units long. */
function hasCharacters(text: string, count: number): boolean {
  return text.length >= 2 * count || (text.length >= count && codePoints(text) >= count);
}
