/**
 * True for a text that looks empty. Such a text has only white space, control characters, format characters, lone
 * surrogates, default-ignorable characters (fillers, joiners, variation selectors, tags) or empty Braille cells.
 */
export function isInvisible(text: string): boolean {
  // Nearly every text starts with a letter or a digit; then the slow pattern is not needed.
  if (/^[0-9A-Za-z]/.test(text)) return false;
  return /^[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/**
 * Escapes control characters and marks of reading direction in JSON as `\u` and four hexadecimal digits, so that the
 * printed text cannot control a terminal or change the order of other text. The parsed value stays the same.
 */
export function escapeControls(json: string): string {
  return json.replaceAll(CONTROLS, escaped);
}

/** DEL, the C1 control characters, and the characters that set the reading direction. */
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
