import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OutgoingFault } from "./fault.ts";

/** What svc accepts. Any other encoding is refused, also several of them on top of each other. */
export const ACCEPT_ENCODING = "gzip";

/**
 * Reads the body of an answer. Refuses one that says that it is too large before reading it, and ends the connection
 * once more was read: of a compressed body its whole text counts.
 */
export async function readBody(
  answer: IncomingMessage,
  { method, maxBytes }: { readonly method: string; readonly maxBytes: number },
): Promise<Buffer> {
  // The answer to HEAD has the length of a body that is not sent.
  if (method !== "HEAD" && Number(answer.headers["content-length"]) > maxBytes) {
    answer.destroy();
    throw tooLarge(maxBytes);
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop by an error destroys the stream, and with it the connection.
  for await (const part of decoded(answer) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}

function decoded(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return answer;
  // The error of either stream ends the loop that reads, so the callback has nothing to do.
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
