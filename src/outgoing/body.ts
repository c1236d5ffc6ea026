import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OutgoingFault } from "./fault.ts";

/** The only encoding that svc accepts. An answer with another encoding, or with several, is refused. */
export const ACCEPT_ENCODING = "gzip";

/**
 * Reads the body of an answer, and decompresses it. Refuses an answer whose `Content-Length` is too large, before it
 * reads anything. Ends the connection if the decompressed body becomes too large.
 */
export async function readBody(
  answer: IncomingMessage,
  { method, maxBytes }: { readonly method: string; readonly maxBytes: number },
): Promise<Buffer> {
  // An answer to HEAD has the `Content-Length` of a body that is not sent.
  if (method !== "HEAD" && Number(answer.headers["content-length"]) > maxBytes) {
    answer.destroy();
    throw tooLarge(maxBytes);
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  // An error in the loop destroys the stream, which closes the connection.
  for await (const part of decompressed(answer) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}

function decompressed(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return answer;
  // If one of the streams fails, the loop that reads throws its error. So the callback has nothing to do.
  if (encoding === "gzip" || encoding === "x-gzip")
    return pipeline(answer, createGunzip(), () => undefined);
  answer.destroy();
  throw new OutgoingFault(
    "unreadable",
    "the answer is in an encoding that svc did not ask for",
    true,
  );
}

function tooLarge(maxBytes: number): OutgoingFault {
  return new OutgoingFault("too_large", `the answer is larger than ${maxBytes} bytes`, true);
}
