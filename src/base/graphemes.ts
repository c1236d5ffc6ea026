/** Created on first use, because loading its data takes longer than drawing a screen. */
let segmenter: Intl.Segmenter | undefined;

/** Matches texts that need no segmenter: line ends, European letters and punctuation never combine with each other. */
const NEVER_COMBINED = /^[\n -\u02FF\u0370-\u0482\u048A-\u052F\u2010-\u2027]*$/;

/** Splits a text into the units that a person sees as one character. */
export function graphemes(text: string): readonly string[] {
  if (NEVER_COMBINED.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
