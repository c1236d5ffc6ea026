import stringWidth from "string-width";
import { graphemes } from "../src/base/graphemes.ts";

/** How many cells the text takes on a terminal. */
export function cells(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** Printable ASCII and blanks that do not break: every character is one cell, which is what nearly every text is. */
function isPlain(text: string): boolean {
  return /^[ -~\u00A0]*$/.test(text);
}

/**
 * Text of the daemon as it may be drawn: one line, no control characters, nothing that turns the direction of what stands
 * beside it, and only what every terminal gives the same room, whether it joins characters or not. The vowel AM of Thai
 * and Lao is a letter with a mark.
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
      // What stood apart until here may join.
      .normalize("NFC")
      .replaceAll(UNDECIDED, "\uFFFD")
      .replace(LONE_MARK, " $&")
  );
}

const UNSAFE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029]/gu;

/**
 * What takes no room of its own and changes how its neighbours look or join: an emoji of several stands as its parts side
 * by side, a skin tone goes, and so does the key around a digit. The non-joiner stays, which words of Persian are spelt
 * with.
 */
const UNSEEN = /(?!\u200C)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Emoji_Modifier}\u20E3]/gu;

/** A flag is the two letters of its country, each as wide as a letter. */
const FLAG_LETTER = /\p{Regional_Indicator}/gu;

function flagLetter(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1_f1_e6 + 0x41);
}

/**
 * Parts of Korean syllables that no whole one was made of, and vowels of Kirat Rai, on which no two terminals agree; and
 * halves of characters.
 */
const UNDECIDED = /[\p{Cs}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF\u{16D63}-\u{16D6A}]/gu;

/** A mark with nothing to stand on stands on a blank: behind a colour it would take a cell in some terminals. */
const LONE_MARK = /^[\p{Mn}\p{Me}]/u;

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

/**
 * A name or an address in exactly `width` cells, cut so that what tells it from its neighbours stays: of a path its end,
 * of a mail address its beginning, of any other name both ends.
 */
export function fitName(name: string, width: number, cut = CUT): string {
  if (cells(name) <= width || width <= 0) return fit(name, width, cut);
  const isPath = name.includes("/");
  if (!isPath && name.includes("@")) return fit(name, width, cut);
  const start = isPath ? "" : head(name, Math.ceil((width - 1) / 2));
  const end = tail(name, width - 1 - cells(start));
  return fit(`${start}${cut}${end}`, width, cut);
}

/** As many whole characters from the start as `width` cells hold. */
export function head(text: string, width: number): string {
  if (isPlain(text)) return text.slice(0, Math.max(width, 0));
  let kept = "";
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += cells(grapheme);
    if (used > width) return kept;
    kept += grapheme;
  }
  return kept;
}

/** As many whole characters from the end as `width` cells hold. */
export function tail(text: string, width: number): string {
  if (isPlain(text)) return width <= 0 ? "" : text.slice(-width);
  let kept = "";
  let used = 0;
  for (const grapheme of graphemes(text).toReversed()) {
    used += cells(grapheme);
    if (used > width) return kept;
    kept = grapheme + kept;
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

/**
 * A text in parts that may stand on lines of their own: each a word with the blanks behind it. A blank that carries a mark
 * is none.
 */
export function wordsIn(text: string): readonly string[] {
  return text.split(/(?<= )(?=[^ \p{M}\p{Grapheme_Extend}])/u);
}

/** More of what went wrong would leave no room for what is there. */
const MAX_ERROR_LINES = 3;

/** Why something cannot be read again, as it stands above what was read before. */
export function unreadLines(error: string | undefined, width: number): readonly string[] {
  return error === undefined ? [] : wrap(error, width).slice(0, MAX_ERROR_LINES);
}
