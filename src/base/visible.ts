/**
 * Characters that show nothing: white space, controls, format characters, what fonts leave out by default (fillers,
 * joiners, variation selectors, tags) and the empty Braille cell. A text of these alone looks like no text at all.
 */
const INVISIBLE = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export function isInvisible(text: string): boolean {
  // Nearly every text starts with a letter or a digit.
  return !/^[0-9A-Za-z]/.test(text) && INVISIBLE.test(text);
}

/**
 * JSON whose strings hold no control character and none that turns the direction of what stands beside it: a terminal
 * that it is printed on obeys nothing in it. The value stays the same, since JSON writes any character as `\uXXXX` too.
 */
export function escapeControls(json: string): string {
  return HAS_CONTROL.test(json) ? json.replaceAll(CONTROLS, escaped) : json;
}

/** DEL, the second set of controls (C1), and the marks, embeddings, overrides and isolates of direction. */
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const HAS_CONTROL = new RegExp(CONTROLS.source);

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The same of bytes in UTF-8, which are looked at first: they are nearly always plain. */
export function escapeControlBytes(json: Buffer): Buffer {
  if (!CONTROL_BYTES.test(json.toString("latin1"))) return json;
  return Buffer.from(escapeControls(json.toString("utf8")));
}

const CONTROL_BYTES =
  /\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]/;
