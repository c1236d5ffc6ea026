import stringWidth from "string-width";
import { graphemes } from "../src/base/graphemes.ts";

export function cells(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/**
 * True if the text has only printable ASCII and no-break spaces, which take one cell each. Nearly every text passes
 * this quick check.
 */
function isPlain(text: string): boolean {
  return /^[ -~\u00A0]*$/.test(text);
}

/**
 * Makes a text safe to draw: one line, no control characters or marks of reading direction, and only characters that
 * all terminals draw with the same width. The Thai and Lao vowel AM is written as its two parts.
 */
export function clean(text: string): string {
  if (isPlain(text)) return text;
  return (
    text
      .replaceAll(UNSAFE, " ")
      .replaceAll("\u0E33", "\u0E4D\u0E32")
      .replaceAll("\u0EB3", "\u0ECD\u0EB2")
      .replaceAll(FLAG_LETTER, flagLetter)
      .replaceAll(UNSEEN, "")
      // Characters that have become neighbours may combine to one.
      .normalize("NFC")
      .replaceAll(UNDECIDED, "\uFFFD")
      .replaceAll(MARK_ON_EMOJI, "\uFFFD")
      .replace(LONE_MARK, " $&")
  );
}

const UNSAFE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/gu;

/**
 * Invisible characters that change how their neighbours are drawn or joined, such as joiners of emoji, skin tones and
 * keycaps. The zero-width non-joiner stays, because Persian words need it.
 */
const UNSEEN = /(?!\u200C)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Emoji_Modifier}\u20E3]/gu;

const FLAG_LETTER = /\p{Regional_Indicator}/gu;

function flagLetter(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1_f1_e6 + 0x41);
}

/**
 * Characters that terminals draw with different widths (single parts of Korean syllables, vowels of Kirat Rai), and
 * lone surrogates.
 */
const UNDECIDED = /[\p{Cs}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF\u{16D63}-\u{16D6A}]/gu;

/**
 * A spacing mark after an emoji. Terminals draw the mark in a cell of its own, but string-width counts it as part of
 * the emoji.
 */
const MARK_ON_EMOJI = /(?<=\p{Extended_Pictographic}\p{M}*)\p{Mc}/gu;

/**
 * A combining mark at the start gets a blank before it. After a colour code, some terminals would otherwise give the
 * mark a cell of its own.
 */
const LONE_MARK = /^[\p{Mn}\p{Me}]/u;

const CUT = "~";

/** Pads on the right or cuts to exactly `width` cells. */
export function fit(text: string, width: number, cut = CUT): string {
  if (width <= 0) return "";
  const size = cells(text);
  if (size <= width) return text + " ".repeat(width - size);
  const kept = head(text, width - 1);
  return kept + cut + " ".repeat(width - 1 - cells(kept));
}

/** Pads on the left or cuts to exactly `width` cells. */
export function fitRight(text: string, width: number, cut = CUT): string {
  const size = cells(text);
  return size <= width ? " ".repeat(width - size) + text : fit(text, width, cut);
}

/**
 * Cuts a name so that its distinctive part stays: the end of a path, the beginning of a mail address, both ends of any
 * other name.
 */
export function fitName(name: string, width: number, cut = CUT): string {
  if (cells(name) <= width || width <= 0) return fit(name, width, cut);
  const isPath = name.includes("/");
  if (!isPath && name.includes("@")) return fit(name, width, cut);
  const start = isPath ? "" : head(name, Math.ceil((width - 1) / 2));
  const end = tail(name, width - 1 - cells(start));
  return fit(`${start}${cut}${end}`, width, cut);
}

/** The longest beginning that fits in `width` cells. */
export function head(text: string, width: number): string {
  if (isPlain(text)) return text.slice(0, Math.max(width, 0));
  return fitting(graphemes(text), width).join("");
}

/** The longest end that fits in `width` cells. */
export function tail(text: string, width: number): string {
  if (isPlain(text)) return width <= 0 ? "" : text.slice(-width);
  return fitting(graphemes(text).toReversed(), width).toReversed().join("");
}

function fitting(characters: readonly string[], width: number): readonly string[] {
  let used = 0;
  const end = characters.findIndex((character) => (used += cells(character)) > width);
  return end === -1 ? characters : characters.slice(0, end);
}

/** Wraps a text at blanks, or inside a word that is too long. */
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
  for (const word of wordsIn(line)) {
    if (current.trim() !== "" && cells((current + word).trimEnd()) > width) {
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

/** The words of a text, each with the blanks after it. A blank with a combining mark belongs to a word. */
export function wordsIn(text: string): readonly string[] {
  return text.split(/(?<= )(?=[^ \p{M}\p{Grapheme_Extend}])/u);
}

/** The maximum number of lines of an error, so that rows have room below it. */
const MAX_ERROR_LINES = 3;

/** Returns the lines of a read error. They are shown above the rows of the last successful read. */
export function unreadLines(error: string | undefined, width: number): readonly string[] {
  return error === undefined ? [] : wrap(error, width).slice(0, MAX_ERROR_LINES);
}
