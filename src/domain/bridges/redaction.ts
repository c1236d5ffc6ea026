/** What stands for a secret in a text. */
export const REDACTED = "[redacted]";

/**
 * Returns a function that replaces the secrets in a text. A secret is also found where some of its characters are
 * written as escapes of JSON (`\n`, `\u000a`, `\u000A`), also as those of JSON that is a text of JSON. Where secrets
 * overlap, the text from the start of the first to the end of the last is replaced as a whole.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const plain = distinct(secrets);
  if (plain.length === 0) return (text) => text;
  const read = plain.map((secret) => ({
    parts: distinct([readEscapes(secret).text, lettersOf(secret)]),
    endsOpen: secret.endsWith("\\"),
  }));
  return (text) => {
    const spans = plain.flatMap((secret) => spansOf(text, secret));
    if (!text.includes("\\")) return withoutSpans(text, spans);
    const { text: units, starts, ends } = readEscapes(text);
    for (const { parts, endsOpen } of read)
      for (const [from, to] of parts.flatMap((part) => spansOf(units, part))) {
        // Backslashes before the first unit, and those at the end of a secret, are not in `units`.
        const end = endsOpen ? (starts[to] ?? text.length) : (ends[to - 1] ?? 0);
        spans.push([ends[from - 1] ?? 0, end]);
      }
    return withoutSpans(text, spans);
  };
}

/** Whether a text can be a secret. Those of fewer than four characters are words such as `on`. */
export function isLongEnough({ length }: string): boolean {
  return length >= 4;
}

/** Returns a function that replaces the account of a connector in a text: it can be a key or an address of a person. */
export function accountRedactor(account: string): (text: string) => string {
  return redactor([account].filter(isLongEnough));
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}

/** The offsets of the first unit and of the one behind the last. */
type Span = readonly [start: number, end: number];

function spansOf(text: string, part: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    spans.push([at, at + part.length]);
  return spans;
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const [from, to] of spans.toSorted(([left], [right]) => left - right)) {
    if (from >= end) parts.push(text.slice(end, from), REDACTED);
    end = Math.max(end, to);
  }
  return [...parts, text.slice(end)].join("");
}

interface Read {
  readonly text: string;
  /** For each UTF-16 unit of `text` the offsets at which its spelling starts and ends in the given text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Reads a text so that all spellings of a secret are read as the same text: `\u000a` as the character that it spells, a
 * line break as the letter of its short escape, and no backslashes, since a backslash is doubled wherever JSON is a text
 * of other JSON.
 */
function readEscapes(given: string): Read {
  const texts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: spelling, 1: digits, index } of given.matchAll(SPELLING)) {
    const isEscape = digits !== undefined;
    const letters = lettersOf(
      isEscape ? String.fromCharCode(Number.parseInt(digits, 16)) : spelling,
    );
    texts.push(letters);
    for (let at = 0; at < letters.length; at++) {
      starts.push(index + at);
      ends.push(index + (isEscape ? spelling.length : at + 1));
    }
  }
  return { text: texts.join(""), starts, ends };
}

/** Backslashes, perhaps with an escape that they begin, or everything up to the next backslash. */
const SPELLING = /\\+(?:u([0-9a-fA-F]{4}))?|[^\\]+/g;

function lettersOf(text: string): string {
  return text.replaceAll(/[\\\b\f\n\r\t]/g, (unit) => LETTERS[unit] ?? "");
}

/** The letters of the short escapes of JSON. */
const LETTERS: Readonly<Record<string, string>> = {
  "\b": "b",
  "\f": "f",
  "\n": "n",
  "\r": "r",
  "\t": "t",
};
