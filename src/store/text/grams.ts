import { normalized } from "../../domain/words.ts";

/** Letters of scripts that are written without spaces between words. */
const SPACELESS =
  /(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const RUNS = new RegExp(`(?:${SPACELESS.source})+`, "gu");
/** Emoji: flags and pictures. Digits, `#`, `*`, `©`, `®` and `™` are excluded, since they are usually plain text. */
const EMOJI = /\p{Regional_Indicator}{2}|(?![#*\d©®™])\p{Extended_Pictographic}/gu;
/** A quick test: a text without any of these characters has no emoji and no letters of scripts without spaces. */
const MAY_HAVE_GRAMS = /[\u0e00-\uffff]|[\u2000-\u2fff]/;

export function hasGrams(text: string): boolean {
  return MAY_HAVE_GRAMS.test(text);
}

export function isSpaceless(word: string): boolean {
  return hasGrams(word) && SPACELESS.test(word);
}

/**
 * Returns what the index stores: each letter and each pair of neighbouring letters of scripts without spaces, and each
 * emoji.
 */
export function indexGrams(text: string): readonly string[] {
  if (!hasGrams(text)) return [];
  const lower = normalized(text);
  const found = new Set<string>(lower.match(EMOJI));
  for (const run of lower.match(RUNS) ?? []) {
    const letters = [...run];
    for (const [at, letter] of letters.entries()) {
      found.add(letter);
      const next = letters[at + 1];
      if (next !== undefined) found.add(letter + next);
    }
  }
  return [...found];
}

/**
 * Returns what a search looks up: emoji, pairs of neighbouring letters, and a single letter only when it stands alone.
 */
export function askedGrams(text: string): readonly string[] {
  if (!hasGrams(text)) return [];
  const lower = normalized(text);
  const found = new Set<string>(lower.match(EMOJI));
  for (const run of lower.match(RUNS) ?? []) {
    const letters = [...run];
    if (letters.length === 1) found.add(run);
    for (const [at, letter] of letters.entries()) {
      const next = letters[at + 1];
      if (next !== undefined) found.add(letter + next);
    }
  }
  return [...found];
}

/** The text without the letters of scripts without spaces. What remains can be split into words. */
export function spacedText(text: string): string {
  return hasGrams(text) ? text.normalize("NFC").replaceAll(RUNS, " ") : text;
}
