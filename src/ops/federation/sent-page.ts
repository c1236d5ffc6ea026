import { gunzip } from "../../base/gunzip.ts";

/** The answer of a hub to a poll, as it was sent. A large one is decompressed and parsed in the write worker. */
export interface SentPage {
  readonly bytes: Uint8Array;
  readonly isGzip: boolean;
}

/**
 * Returns the JSON text of a page, or undefined if it has more than `maxBytes`. Throws if it cannot be decompressed.
 */
export async function textOfPage(
  { bytes, isGzip }: SentPage,
  maxBytes: number,
): Promise<string | undefined> {
  if (bytes.length > maxBytes) return undefined;
  const plain = isGzip ? await gunzip(bytes, maxBytes) : bytes;
  return plain === undefined ? undefined : new TextDecoder().decode(plain);
}
