import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OutgoingFault } from "./fault.ts";

/** The only encoding that svc accepts. An answer with another encoding, or with several, is refused. */
export const ACCEPT_ENCODING = "gzip";

interface BodyOptions {
  readonly method: string;
  /** The limit of the body that is returned. */
  readonly maxBytes: number;
  /** True if the body is returned as it was sent. */
  readonly compressed?: boolean | undefined;
}

/**
 * Reads the body of an answer, and decompresses it unless the caller wants it as it was sent. Refuses an answer whose
 * `Content-Length` is too large, before it reads anything. Ends the connection if the body becomes too large.
 */
export async function readBody(
  answer: IncomingMessage,
  { method, maxBytes, compressed = false }: BodyOptions,
): Promise<Buffer> {
  // An answer to HEAD has the `Content-Length` of a body that is not sent.
  if (method !== "HEAD" && Number(answer.headers["content-length"]) > maxBytes) {
    answer.destroy();
    throw tooLarge(maxBytes);
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  // An error in the loop destroys the stream, which closes the connection.
  const sent = compressed ? withKnownEncoding(answer) : decompressed(answer);
  for await (const part of sent as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}

function decompressed(answer: IncomingMessage): Readable {
  if (!isGzip(withKnownEncoding(answer).headers)) return answer;
  // If one of the streams fails, the loop that reads throws its error. So the callback has nothing to do.
  return pipeline(answer, createGunzip(), () => undefined);
}

/** Whether the body of an answer is compressed. Answers with other encodings than gzip were refused before. */
export function isGzip({ "content-encoding": encoding }: IncomingHttpHeaders): boolean {
  return encodingOf(encoding) !== "";
}

function encodingOf(header: string | undefined): string {
  const encoding = header?.trim().toLowerCase() ?? "";
  return encoding === "identity" ? "" : encoding;
}

/** Refuses an answer in an encoding that svc did not ask for. */
function withKnownEncoding(answer: IncomingMessage): IncomingMessage {
  if (["", "gzip", "x-gzip"].includes(encodingOf(answer.headers["content-encoding"])))
    return answer;
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
