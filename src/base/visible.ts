/**
 * True for a text that looks empty: it has only white space, controls, format characters, default-ignorable ones
 * (fillers, joiners, variation selectors, tags) and the empty Braille cell.
 */
export function isInvisible(text: string): boolean {
  // Nearly every text starts with a letter or a digit; then the slow pattern is not even made.
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

/** DEL, the second set of controls (C1), and the marks, embeddings, overrides and isolates of direction. */
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Like `escapeControls`, for UTF-8 bytes. The bytes are searched first, because nearly all input needs no escape. */
export function escapeControlBytes(json: Buffer): Buffer {
  if (!CONTROL_BYTES.test(json.toString("latin1"))) return json;
  // Escape slice by slice: as one string, a list of 100,000 issues would need twice its size in heap.
  const escaped = [...slicesOf(json)].map((slice) =>
    Buffer.from(escapeControls(slice.toString("utf8"))),
  );
  return Buffer.concat(escaped);
}

const SLICE_BYTES = 64 * 1024;

/** Slices of UTF-8 text that begin and end between characters. */
function* slicesOf(text: Buffer): Generator<Buffer> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + SLICE_BYTES, text.length);
    while (to < text.length && isContinuation(text[to])) to += 1;
    yield text.subarray(from, to);
    from = to;
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

const CONTROL_BYTES =
  /\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]/;
