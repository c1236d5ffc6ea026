const ASCII = "abcdefghijklmnopqrstuvwxyz0123456789";
/** For shorter words no near misses are made, since too many other words differ from them by one letter. */
const SHORTEST = 5;
const LONGEST = 32;
/**
 * If a word has letters from more Unicode blocks than this, only its own letters and ASCII are tried as replacements.
 */
const MOST_BLOCKS = 2;

/**
 * All words that differ from this one by one letter: one added, one removed, one replaced, or two neighbours swapped.
 */
export function nearMisses(word: string): readonly string[] {
  const letters = [...word];
  if (letters.length < SHORTEST || letters.length > LONGEST) return [];
  const found = new Set<string>();
  const addVariant = (from: number, to: number, between: string) =>
    found.add([...letters.slice(0, from), between, ...letters.slice(to)].join(""));
  const alphabet = alphabetOf(letters);
  for (let at = 0; at <= letters.length; at += 1) {
    for (const letter of alphabet) {
      addVariant(at, at, letter);
      if (at < letters.length) addVariant(at, at + 1, letter);
    }
    if (at < letters.length) addVariant(at, at + 1, "");
    if (at + 1 < letters.length) addVariant(at, at + 2, `${letters[at + 1]}${letters[at]}`);
  }
  found.delete(word);
  return [...found];
}

/**
 * The letters to try: ASCII, the word's own letters, and the alphabets of its scripts. An alphabet is taken to be the
 * block of 128 code points that contains the letter.
 */
function alphabetOf(letters: readonly string[]): ReadonlySet<string> {
  const alphabet = new Set(ASCII);
  const blocks = new Set(letters.map((letter) => (letter.codePointAt(0) ?? 0) >> 7));
  blocks.delete(0);
  for (const letter of letters) alphabet.add(letter);
  if (blocks.size > MOST_BLOCKS) return alphabet;
  for (const block of blocks) {
    for (let code = block << 7; code < (block + 1) << 7; code += 1) {
      const letter = String.fromCodePoint(code);
      if (/[\p{Ll}\p{Lo}]/u.test(letter)) alphabet.add(letter);
    }
  }
  return alphabet;
}
