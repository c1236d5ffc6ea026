import { errorCode } from "./error-code.ts";

/**
 * Returns the decompressed bytes, or undefined if they are more than `maxBytes`. Throws if the bytes are not gzip. Many
 * bytes take long, so the daemon's main thread decompresses only small bodies.
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
