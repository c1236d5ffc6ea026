import { hasAsciiWords, normalized } from "../../domain/words.ts";

/** The maximum number of code points in an excerpt. */
const LONGEST = 160;
/** The maximum number of characters before the first match in an excerpt. */
const BEFORE = 40;
/** How many UTF-16 code units of a text are searched for the best excerpt. */
const READ = 100_000;
const MOST_PLACES = 100;
const ASCII_WORD = /[A-Za-z0-9]+/g;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;

/**
 * Returns the part of the text that has most of the search's words, by weight. Returns undefined when the text has none
 * of them.
 */
export function excerptOf(
  text: string,
  weightOf: (word: string) => number,
  grams: readonly string[],
): string | undefined {
  const read = text.slice(0, READ);
  const isAscii = hasAsciiWords(read);
  const whole = isAscii ? read : read.replaceAll(/\p{Cs}/gu, " ").normalize("NFC");
  const line = whole.replaceAll(/\s+/g, " ").trim();
  const places = placesOf(line, isAscii ? ASCII_WORD : WORD, weightOf, grams);
  if (places.length === 0) return undefined;
  let best = { at: 0, sum: -1 };
  for (const [from, { at }] of places.entries()) {
    const inside = new Map<string, number>();
    for (const place of places.slice(from, from + 20)) {
      if (place.at + place.word.length > at + LONGEST - BEFORE) break;
      inside.set(place.word, place.weight);
    }
    const sum = [...inside.values()].reduce((all, weight) => all + weight, 0);
    if (sum > best.sum) best = { at, sum };
  }
  return excerptAround(line, best.at);
}

interface Place {
  readonly at: number;
  readonly word: string;
  readonly weight: number;
}

function placesOf(
  line: string,
  pattern: RegExp,
  weightOf: (word: string) => number,
  grams: readonly string[],
): readonly Place[] {
  const places: Place[] = [];
  for (const match of line.matchAll(pattern)) {
    const weight = weightOf(match[0]);
    if (weight > 0) places.push({ at: match.index, word: normalized(match[0]), weight });
    if (places.length === MOST_PLACES) break;
  }
  const lower = grams.length === 0 ? "" : line.toLowerCase();
  for (const gram of grams) {
    const at = lower.indexOf(gram);
    if (at >= 0) places.push({ at, word: gram, weight: 1 });
  }
  return places.sort((a, b) => a.at - b.at);
}

function excerptAround(line: string, at: number): string {
  let from = Math.max(0, at - BEFORE);
  // Start at the beginning of a word, so that no surrogate pair is cut in half.
  if (from > 0)
    from = Math.max(from, line.lastIndexOf(" ", at - 1) < from ? at : line.indexOf(" ", from) + 1);
  const rest = [...line.slice(from, from + 2 * LONGEST)];
  const head = from > 0 ? "…" : "";
  const room = LONGEST - head.length;
  if (from + rest.join("").length >= line.length && rest.length <= room)
    return head + rest.join("");
  return `${head}${rest.slice(0, room - 1).join("")}…`;
}
