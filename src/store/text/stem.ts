/**
 * The stem of an English word after Porter's rules of 1980: `migrations`, `migrating` and `migrated` have the stem
 * `migrat`. Words with other letters than a to z are their own stem.
 */
export function stemOf(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  // At the start of a word, `y` is a consonant. Writing it as `Y` keeps the rules from treating it as a vowel.
  const marked = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  return withoutFinalE(
    withoutEnding(withNewEnding(withNewEnding(pastDropped(pluralDropped(marked)), DOUBLE), SINGLE)),
  ).replace(/^Y/, "y");
}

const CONSONANTS = "[^aeiou][^aeiouy]*";
const VOWELS = "[aeiouy][aeiou]*";
/** Matches a stem with at least one vowel that is followed by a consonant. */
const ONE = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const EXACTLY_ONE = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const TWO = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?[aeiouy]`);
/** Matches a stem such as `hop`: consonants, one vowel, and one consonant other than w, x and y. */
const SHORT = new RegExp(`^${CONSONANTS}[aeiouy][^aeiouwxy]$`);

function pluralDropped(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pastDropped(word: string): string {
  return iForY(withoutPast(word));
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return ONE.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const stem = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (stem === undefined || !HAS_VOWEL.test(stem)) return word;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return SHORT.test(stem) ? `${stem}e` : stem;
}

function iForY(word: string): string {
  return word.endsWith("y") && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type Endings = readonly (readonly [string, string])[];

const DOUBLE: Endings = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["logi", "log"],
];
const SINGLE: Endings = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];

function withNewEnding(word: string, endings: Endings): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const stem = word.slice(0, -found[0].length);
  return ONE.test(stem) ? stem + found[1] : word;
}

const DROPPED =
  /^(.+?)(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

function withoutEnding(word: string): string {
  const stem = DROPPED.exec(word)?.[1];
  return stem !== undefined && TWO.test(stem) ? stem : word;
}

function withoutFinalE(word: string): string {
  let stem = word;
  if (word.endsWith("e")) {
    const rest = word.slice(0, -1);
    if (TWO.test(rest) || (EXACTLY_ONE.test(rest) && !SHORT.test(rest))) stem = rest;
  }
  return stem.endsWith("ll") && TWO.test(stem) ? stem.slice(0, -1) : stem;
}

const ENDINGS = [
  ..."s es ed d ing er ers or ors e y ies ied ion ions ation ations ations al ally ment ments able ly".split(
    " ",
  ),
  ..."ate ates ated ating ator ators ative ance ence ize izes ized izing ization ful fully less ness ic ical ive".split(
    " ",
  ),
];

/** Returns possible words with this stem. Not all of them exist, so the caller looks them up in the index. */
export function inflectionsOf(word: string, stem: string): readonly string[] {
  if (!/^[a-z]{3,}$/.test(word)) return [word];
  const bases = new Set([
    word,
    stem,
    stem.replace(/i$/, "y"),
    stem.replace(/i$/, ""),
    stem + stem.slice(-1),
  ]);
  const found = new Set([word, stem, stem.replace(/i$/, "y")]);
  for (const base of bases) for (const ending of ENDINGS) found.add(base + ending);
  return [...found].filter((one) => stemOf(one) === stem);
}
