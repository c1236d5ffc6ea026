/**
 * How well a text matches a pattern; `undefined` if the letters of the pattern do not occur in the text in this order.
 * Consecutive letters, beginnings of words and short texts score higher.
 */
export function fuzzyScore(pattern: string, text: string): number | undefined {
  const wanted = pattern.toLowerCase().replaceAll(" ", "");
  const lowerText = text.toLowerCase();
  let score = 0;
  let last = -1;
  for (const letter of wanted) {
    const at = bestPlace(lowerText, letter, last);
    if (at === -1) return undefined;
    if (at === last + 1) score += FOLLOWS;
    if (isStart(lowerText, at)) score += BEGINS;
    last = at;
  }
  return score - lowerText.length * LENGTH;
}

const FOLLOWS = 8;
const BEGINS = 6;
const LENGTH = 0.1;

/**
 * Where the next letter of the pattern matches: directly after the last match, else at the next beginning of a word,
 * else at its next occurrence.
 */
function bestPlace(text: string, letter: string, last: number): number {
  const first = text.indexOf(letter, last + 1);
  if (first === last + 1) return first;
  for (let at = first; at !== -1; at = text.indexOf(letter, at + 1))
    if (isStart(text, at)) return at;
  return first;
}

function isStart(text: string, at: number): boolean {
  return at === 0 || " -:/".includes(text[at - 1] ?? "");
}
