import { isDotSegment } from "../../base/dot-segment.ts";

/** Labels are at most 64 characters of `a-z 0-9 . _ : -` (docs/contract/http-api.md#43-texts). */
const MAX_LABEL = 64;
const OUTSIDE = /[^a-z0-9._:-]+/g;
const MARKS = /\p{M}+/gu;
const SPELT = /^[a-z0-9._:](?:[a-z0-9._:-]{0,62}[a-z0-9._:])?$/;

/**
 * Converts a label to svc's grammar: lower case, accents removed, each run of other characters one hyphen, cut at 64
 * characters; `undefined` if nothing is left.
 */
export function spellLabel(text: string): string | undefined {
  if (isDotSegment(text)) return undefined;
  if (SPELT.test(text)) return text;
  const spelt = text
    .normalize("NFKD")
    .replace(MARKS, "")
    .toLowerCase()
    .replace(OUTSIDE, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, MAX_LABEL)
    .replace(/-+$/, "");
  return spelt === "" || isDotSegment(spelt) ? undefined : spelt;
}
