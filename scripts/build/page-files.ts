import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import {
  ENCODINGS,
  ENDINGS,
  type Encoding,
  type PageFile,
} from "../../src/daemon/page/manifest.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const ENCODE: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/**
 * Writes each compressed form of a file of the page that is smaller, and the file itself if it is not to be read from its
 * gzip form: the package would be 5 % larger with it. Returns the headers to send with the file.
 */
export async function writeEncoded(path: string, bytes: Uint8Array): Promise<PageFile> {
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`no content type is known for ${path}`);
  const encodings: Encoding[] = [];
  for (const encoding of ENCODINGS) {
    const encoded = await ENCODE[encoding](bytes);
    if (encoded.length >= bytes.length) continue;
    writeFileSync(path + ENDINGS[encoding], encoded);
    encodings.push(encoding);
  }
  if (!encodings.includes("gzip")) writeFileSync(path, bytes);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { type, etag: `"${hash}"`, encodings };
}
