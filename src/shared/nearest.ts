/** The most similar name, or `undefined` if none is similar enough. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  // Allow at most one typing mistake per three letters.
  let least = Math.floor(word.length / 3) + 1;
  for (const name of names) {
    const edits = distance(word, name, least);
    if (edits < least) [best, least] = [name, edits];
  }
  if (best !== undefined) return best;
  const starts = [...names].filter((name) => word.length > 1 && name.startsWith(word));
  return starts.length === 1 ? starts[0] : undefined;
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
