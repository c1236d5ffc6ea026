import stringWidth from "string-width";

/** Columns that the text takes on a terminal. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - widthOf(text))) + text;
}

/** At most `width` columns; what is cut off shows as `…`. Whole graphemes only. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
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
