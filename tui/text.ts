import stringWidth from "string-width";

/** How many cells the text takes on a terminal. */
export function cells(text: string): number {
  return isAscii(text) ? text.length : stringWidth(text);
}

/** Printable ASCII only: every character is one cell, which is what nearly every text is. */
function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/**
 * Text of the daemon as it may be drawn: one line, no control characters, and nothing that turns the direction of what
 * stands beside it.
 */
export function clean(text: string): string {
  return isAscii(text) ? text : text.replaceAll(UNSAFE, " ");
}

const UNSAFE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/gu;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What a person sees as one character each. */
export function graphemes(text: string): readonly string[] {
  return isAscii(text) ? [...text] : [...segmenter.segment(text)].map(({ segment }) => segment);
}

const CUT = "~";

/** Exactly `width` cells: padded on the right, or cut with a mark. */
export function fit(text: string, width: number, cut = CUT): string {
  if (width <= 0) return "";
  const size = cells(text);
  if (size <= width) return text + " ".repeat(width - size);
  const kept = head(text, width - 1);
  return kept + cut + " ".repeat(width - 1 - cells(kept));
}

/** Exactly `width` cells, padded on the left. */
export function fitRight(text: string, width: number, cut = CUT): string {
  const size = cells(text);
  return size <= width ? " ".repeat(width - size) + text : fit(text, width, cut);
}

/** As many whole characters from the start as `width` cells hold. */
export function head(text: string, width: number): string {
  if (isAscii(text)) return text.slice(0, Math.max(width, 0));
  let kept = "";
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += cells(grapheme);
    if (used > width) return kept;
    kept += grapheme;
  }
  return kept;
}

/** The lines of a text, broken between words where they can be; a word that is too long is broken where it must be. */
export function wrap(text: string, width: number): readonly string[] {
  return text
    .split(/\r\n|[\n\r]/)
    .flatMap((line) => wrapLine(clean(line.replaceAll("\t", "    ")), width));
}

function wrapLine(line: string, width: number): readonly string[] {
  if (cells(line) <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? "";
  const hang = indent.length < width / 2 ? indent : "";
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    if (current !== "" && cells((current + word).trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = hang;
    }
    current += word;
    while (cells(current.trimEnd()) > width) {
      const part = head(current, width);
      lines.push(part === "" ? CUT : part);
      current = part === "" ? "" : current.slice(part.length);
    }
  }
  return [...lines, current.trimEnd()];
}
