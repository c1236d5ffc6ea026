/**
 * The most similar name, or `undefined` if none is similar enough. Never returns the opposite, such as `unclaim` for
 * `claim`.
 */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  // Allow at most one typing mistake per three letters.
  let least = Math.floor(word.length / 3) + 1;
  for (const name of names) {
    const edits = distance(word, name, least);
    if (edits < least && !isOpposite(word, name)) [best, least] = [name, edits];
  }
  if (best !== undefined) return best;
  const starts = [...names].filter((name) => word.length > 1 && name.startsWith(word));
  return starts.length === 1 ? starts[0] : undefined;
}

/** True if one word is the other with a negating prefix such as `un`, even with one typing mistake in it. */
function isOpposite(word: string, name: string): boolean {
  const [one, other] = [bareWord(word), bareWord(name)];
  return NEGATIONS.some((prefix) => isNegated(prefix, one, other) || isNegated(prefix, other, one));
}

const NEGATIONS = ["un", "no-", "dis"] as const;

function isNegated(prefix: string, long: string, short: string): boolean {
  return (
    long.startsWith(prefix) &&
    !short.startsWith(prefix) &&
    distance(long.slice(prefix.length), short, 2) < 2
  );
}

/** The last word, without the dashes of a flag. */
function bareWord(word: string): string {
  return word.replace(/^--|^.* /, "");
}

/** The edit distance of two words, with swaps of neighbouring letters; at most `limit`. */
export function distance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let edits = Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      next.push(edits);
    }
    before = row;
    row = next;
  }
  return Math.min(row[to.length] ?? limit, limit);
}
