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

/** Writes a file of the page, and each compressed form of it that is smaller. Returns the headers to send with it. */
export async function writeEncoded(path: string, bytes: Uint8Array): Promise<PageFile> {
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`no content type is known for ${path}`);
  writeFileSync(path, bytes);
  const encodings: Encoding[] = [];
  for (const encoding of ENCODINGS) {
    const encoded = await ENCODE[encoding](bytes);
    if (encoded.length >= bytes.length) continue;
    writeFileSync(path + ENDINGS[encoding], encoded);
    encodings.push(encoding);
  }
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { type, etag: `"${hash}"`, encodings };
}
