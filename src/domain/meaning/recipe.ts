/** Which texts of an issue are embedded, and how they are cut (docs/contract/search.md#52-what-a-vector-belongs-to). */

/** Grows when the rules of this file change. It is a part of the fingerprint, so all issues are embedded again then. */
export const RECIPE_VERSION = 1;

/** The length of a chunk and what it has in common with the chunk before it, in code points. */
export const CHUNK_CHARACTERS = 2000;
export const CHUNK_OVERLAP = 200;

const STEP = CHUNK_CHARACTERS - CHUNK_OVERLAP;

/** Returns the text of an issue that is embedded: title and body, without comments. */
export function textOf({ title, body }: { readonly title: string; readonly body: string }): string {
  return body === "" ? title : `${title}\n\n${body}`;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A part of a text. `from` and `to` are places in the text, in code points; `to` is the place after the last one. */
export interface Chunk {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Cuts a text into chunks that overlap. Half of a surrogate pair becomes U+FFFD, so a provider always gets valid text.
 * A blank text has no chunks.
 */
export function chunksOf(text: string): readonly Chunk[] {
  if (text.trim() === "") return [];
  const whole = text.replaceAll(LONE_SURROGATE, "\ufffd");
  const { length, offsets } = bordersOf(whole);
  const count = length <= CHUNK_CHARACTERS ? 1 : 1 + Math.ceil((length - CHUNK_CHARACTERS) / STEP);
  return Array.from({ length: count }, (_, number) => {
    const from = number * STEP;
    const to = Math.min(from + CHUNK_CHARACTERS, length);
    return { number, from, to, text: whole.slice(offsets.get(from), offsets.get(to)) };
  });
}

/**
 * Returns the number of code points of a text, and for each place where a chunk may begin or end its offset in UTF-16
 * units. The text is walked without an array of its characters, which for a text of 1 MB would take 30 MB.
 */
function bordersOf(text: string): {
  readonly length: number;
  readonly offsets: ReadonlyMap<number, number>;
} {
  const offsets = new Map<number, number>();
  let length = 0;
  for (let at = 0; at < text.length; length++) {
    if (length % STEP === 0 || length % STEP === CHUNK_OVERLAP) offsets.set(length, at);
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  offsets.set(length, text.length);
  return { length, offsets };
}

/**
 * Returns the text whose hash is the fingerprint of a generation: everything that decides what the vectors mean. The
 * address of the provider and its key are no part of it (docs/contract/search.md#52-what-a-vector-belongs-to).
 */
export function fingerprintText({
  model,
  dims,
  salt,
}: {
  readonly model: string;
  readonly dims: number;
  readonly salt: string;
}): string {
  return JSON.stringify({ model, dims, recipe: RECIPE_VERSION, salt });
}
