/** Returns a word as a user types it in a shell, with quotes if it needs them. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}
