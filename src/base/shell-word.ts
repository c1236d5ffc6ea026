/** A word as one types it in a shell, in quotes where it needs them. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}
