import stringWidth from "string-width";

/**
 * Text of these characters takes one cell for each: ASCII, the letters of European languages, and the marks and lines
 * of our own output. Other text is measured by string-width, which compiles large patterns at its first use.
 */
const ONE_CELL_EACH = /^[ -~\u00a1-\u00ac\u00ae-\u017f\u2500-\u257f○●✓✗•…–—→]*$/;

export function widthOf(text: string): number {
  return ONE_CELL_EACH.test(text) ? text.length : stringWidth(text);
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthOf(text))) + text;
}

/** Cuts the text to `width` columns between two graphemes, and marks the cut with `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (ONE_CELL_EACH.test(text)) return `${text.slice(0, width - 1).trimEnd()}…`;
  let kept = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = used + widthOf(segment);
    if (next > width - 1) break;
    kept += segment;
    used = next;
  }
  return `${kept.trimEnd()}…`;
}
