import { graphemes } from "../src/base/graphemes.ts";
import { stateIn } from "../src/screen/glyphs.ts";
import type { Paint, Role } from "./style.ts";
import { cells, clean, fit, fitName, head, wordsIn } from "./text.ts";

/** A part of a line that looks the same throughout. */
export interface Span {
  readonly text: string;
  readonly role?: Role | undefined;
  /** The number of the ref that it shows, so that the chosen one can stand out. */
  readonly ref?: number | undefined;
  /** Exactly so many cells: cut or filled up. */
  readonly size?: number;
  /** Of a person or an agent: it is cut as `fitName` does. */
  readonly isName?: true;
  /** The letter of a state, drawn with the signs that are in use. */
  readonly isState?: true;
  /** Whether it is cut where there is no room for it, though the rest of the text is wrapped. */
  readonly isDrawn?: true;
}

/** A line of text that is not painted yet. */
export type SpanLine = readonly Span[];

export function widthOf(line: SpanLine): number {
  return line.reduce((sum, { text, size }) => sum + (size ?? cells(text)), 0);
}

/**
 * A line broken at its blanks, so that no line is wider; what is wider by itself is broken where it must be. Lines after
 * the first begin with `hang`.
 */
export function wrapSpans(line: SpanLine, width: number, hang = ""): readonly SpanLine[] {
  const indent = cells(hang) < width / 2 ? hang : "";
  const lines: Span[][] = [];
  let current: Span[] = [];
  let used = 0;
  const begin = (): void => {
    lines.push(current);
    current = indent === "" ? [] : [{ text: indent }];
    used = cells(indent);
  };
  for (const word of wordsOf(line)) {
    const size = widthOf(word);
    const seen = size - trailing(word);
    if (used > 0 && used + seen > width && !isBlank(current)) begin();
    for (const span of word) {
      let rest = span.text;
      while (used + cells(rest.trimEnd()) > width) {
        const part = head(rest, width - used);
        if (part !== "") current.push({ ...span, text: part });
        // A character that is wider than a whole line is left out.
        else if (isBlank(current)) rest = graphemes(rest).slice(1).join("");
        rest = rest.slice(part.length);
        begin();
      }
      if (rest === "") continue;
      current.push({ ...span, text: rest });
      used += cells(rest);
    }
  }
  return [...lines, current];
}

function isBlank(line: SpanLine): boolean {
  return line.every(({ text }) => text.trim() === "");
}

function trailing(word: SpanLine): number {
  const last = word.at(-1)?.text ?? "";
  return last.length - last.trimEnd().length;
}

/** What stays together: the text up to a blank, whatever its parts look like, with the blanks behind it. */
function wordsOf(line: SpanLine): readonly SpanLine[] {
  const words: Span[][] = [];
  let isOpen = false;
  for (const span of line) {
    for (const text of wordsIn(clean(span.text))) {
      if (text === "") continue;
      const piece = { ...span, text };
      const last = words.at(-1);
      if (isOpen && last !== undefined) last.push(piece);
      else words.push([piece]);
      isOpen = !text.endsWith(" ");
    }
  }
  return words;
}

/** The line in exactly `width` cells; the cursor is on the span of the `chosen` ref. */
export function paintSpans(paint: Paint, width: number, line: SpanLine, chosen?: number): string {
  let left = width;
  const texts = line.map((span) => {
    const { role, size, isName, isState } = span;
    const text = clean(isState === true ? stateIn(paint.glyphs, span.text) : span.text);
    const fitting = isName === true ? fitName : fit;
    const sized = size === undefined ? text : fitting(text, size, paint.glyphs.cut);
    const fitted = cells(sized) <= left ? sized : head(sized, left);
    left -= cells(fitted);
    if (isChosen(span, chosen)) return paint("cursor", fitted);
    return role === undefined || fitted.trim() === "" ? fitted : paint(role, fitted);
  });
  return texts.join("") + " ".repeat(Math.max(0, left));
}

/** As `paintSpans`, behind a margin that shows where the cursor is: in any colours, and without any. */
export function paintBesideMargin(
  paint: Paint,
  width: number,
  line: SpanLine,
  chosen: number | undefined,
): string {
  const mark = line.some((span) => isChosen(span, chosen))
    ? paint("bold", paint.glyphs.cursor)
    : " ";
  return mark + paintSpans(paint, width - 1, line, chosen);
}

function isChosen({ ref }: Span, chosen: number | undefined): boolean {
  return ref !== undefined && ref === chosen;
}
