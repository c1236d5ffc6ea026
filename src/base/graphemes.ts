/** Made for the first text that needs it: what it reads takes longer than a picture. */
let segmenter: Intl.Segmenter | undefined;

/** Line ends, and letters and signs of Europe, of which none joins another: most texts that are typed have no more. */
const APART = /^[\n -\u02FF\u0370-\u0482\u048A-\u052F\u2010-\u2027]*$/;

/** What a person sees as one character each. */
export function graphemes(text: string): readonly string[] {
  if (APART.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
