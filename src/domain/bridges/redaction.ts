/** What stands for a secret in a text. */
export const REDACTED = "[redacted]";

/**
 * Returns a function that replaces the secrets in a text. A character of a secret is also found where it is written as
 * an escape of JSON (`\n`, `\u000a`, `\u000A`), also as one of JSON that is a text of JSON. If one secret contains
 * another, the longer one is replaced as a whole.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const longestFirst = [...new Set(secrets)]
    .filter((secret) => secret !== "")
    .toSorted((left, right) => right.length - left.length);
  if (longestFirst.length === 0) return (text) => text;
  const pattern = new RegExp(longestFirst.map(spellings).join("|"), "g");
  return (text) => text.replaceAll(pattern, REDACTED);
}

/** A pattern for all spellings of a text, one UTF-16 unit after the other, since JSON escapes these units. */
function spellings(secret: string): string {
  return secret.split("").map(spellingsOfUnit).join("");
}

function spellingsOfUnit(unit: string): string {
  const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
  const anyCase = digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const short = SHORT_ESCAPES[unit];
  // The longer spelling comes first, so that no part of it is left.
  return `(?:${BACKSLASHES}u${anyCase}${short === undefined ? "" : `|${BACKSLASHES}${short}`}|\\u${digits})`;
}

/** A backslash is doubled wherever JSON is a text of other JSON. */
const BACKSLASHES = String.raw`\\{1,4}`;

/** The short escapes of JSON, as patterns of what follows the backslash. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "b",
  "\f": "f",
  "\n": "n",
  "\r": "r",
  "\t": "t",
};
