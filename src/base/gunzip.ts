import { errorCode } from "./error-code.ts";

/**
 * Returns the decompressed bytes, or undefined if they are more than `maxBytes`. Throws if the bytes are not gzip. Takes
 * long for many bytes, so a daemon's own thread decompresses only what is small.
 */
export async function gunzip(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  const { gunzipSync } = await import("node:zlib");
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") return undefined;
    throw error;
  }
}
