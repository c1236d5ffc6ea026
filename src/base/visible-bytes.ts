import { escapeControls } from "./visible.ts";

/**
 * Escapes control characters and marks of reading direction in JSON that is UTF-8 bytes. The bytes are searched first,
 * because nearly all JSON contains no such character.
 */
export function escapeControlBytes(json: Buffer): Buffer {
  if (!CONTROL_BYTES.test(json.toString("latin1"))) return json;
  // Escape slice by slice: the whole JSON of a list of 100,000 issues as one string would take two bytes of heap for
  // each character.
  const escaped = [...slicesOf(json)].map((slice) =>
    Buffer.from(escapeControls(slice.toString("utf8"))),
  );
  return Buffer.concat(escaped);
}

const SLICE_BYTES = 64 * 1024;

/** Yields slices of UTF-8 text without splitting a character. */
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
