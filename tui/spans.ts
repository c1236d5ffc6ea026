import { graphemes } from "../src/base/graphemes.ts";
import { stateIn } from "../src/screen/glyphs.ts";
import type { Paint, Role } from "./style.ts";
import { cells, clean, fit, fitName, head, wordsIn } from "./text.ts";

export interface Span {
  readonly text: string;
  readonly role?: Role | undefined;
  /** The number of the issue in the document, if the span names an issue that can be selected. */
  readonly ref?: number | undefined;
  /** The width in cells to which the text is cut or padded. */
  readonly size?: number;
  /** True if the text is a name. A name that is too long is cut so that its distinctive part stays (`fitName`). */
  readonly isName?: true;
  /** True if the text is the letter of a state. The sign of this state is drawn instead. */
  readonly isState?: true;
  /** True if the text is a drawing, a table or code, which is cut instead of wrapped. */
  readonly isDrawn?: true;
}

export type SpanLine = readonly Span[];

export function widthOf(line: SpanLine): number {
  return line.reduce((sum, { text, size }) => sum + (size ?? cells(text)), 0);
}

/** Wraps a line at blanks, or inside a word that is too wide. Lines after the first begin with `hang`. */
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
        // Leave out a character that is wider than a line.
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

/** Cuts the title so that the spans on both sides of it stay whole. */
export function aroundTitle(
  before: SpanLine,
  title: Span,
  after: SpanLine,
  width: number,
): SpanLine {
  const room = Math.max(0, width - widthOf(before) - widthOf(after) - 1);
  const size = Math.min(room, cells(clean(title.text)));
  return [...before, { ...title, size }, { text: " ".repeat(room - size + 1) }, ...after];
}

function isBlank(line: SpanLine): boolean {
  return line.every(({ text }) => text.trim() === "");
}

function trailing(word: SpanLine): number {
  const last = word.at(-1)?.text ?? "";
  return last.length - last.trimEnd().length;
}

/** Splits a line into words, each with the blanks after it. A word may consist of several spans. */
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

/** Paints a line in exactly `width` cells, with the cursor on the spans of the `chosen` issue. */
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

/**
 * Paints a line like `paintSpans`, with a margin on the left. If the line contains the chosen issue, the margin shows
 * the cursor's sign, which is visible even without colours.
 */
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
