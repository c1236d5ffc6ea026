import type { ServerResponse } from "node:http";
import { dropPieces, type Pieces } from "../replies/pieces.ts";
import { bytesOf, isStream, joined, type Reply, type WholeBody } from "../replies/reply.ts";

/** A longer body is written in parts of this size, so that the daemon notices a client that does not read. */
const PART_BYTES = 256 * 1024;

export function isLong({ body }: Reply): boolean {
  return isStream(body) || bytesOf(body) > PART_BYTES;
}

/**
 * Writes an answer. A long answer is written in parts, each only when the client has received the part before it, so
 * only one part is in memory. If making the body fails, the connection is cut, so that the client does not mistake a
 * part of the answer for the whole.
 */
export async function send(
  res: ServerResponse,
  { status, headers, body }: Reply,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  if (res.destroyed) return isStream(body) ? await dropPieces(body) : undefined;
  const head = { ...headers, ...more };
  const noBody = status === 204 || status === 304 || res.req.method === "HEAD";
  if (isStream(body)) {
    res.writeHead(status, head);
    if (noBody) await dropPieces(body);
    else await sendPieces(res, body);
  } else if (status === 204 || status === 304) res.writeHead(status, head);
  else {
    const bytes = bytesOf(body);
    res.writeHead(status, { ...head, "content-length": bytes });
    if (!noBody && bytes <= PART_BYTES) return void res.end(joined(body));
    if (!noBody) await sendPieces(res, partsOf(body));
  }
  if (!res.destroyed) res.end();
}

/**
 * Yields the parts in which a body is written. A short text stays a text. As a buffer it would be memory outside of the
 * heap, and much of such memory makes the garbage collector go through the whole heap more often.
 */
function* partsOf(body: WholeBody): Generator<string | Uint8Array, void, void> {
  for (const part of typeof body === "string" || Buffer.isBuffer(body) ? [body] : body) {
    const length = Buffer.byteLength(part);
    const bytes = typeof part === "string" && length > PART_BYTES ? Buffer.from(part) : part;
    if (typeof bytes === "string") yield bytes;
    else for (let at = 0; at < length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
  }
}

async function sendPieces(
  res: ServerResponse,
  pieces: Pieces | Iterable<string | Uint8Array>,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (res.destroyed) return;
      if (!res.write(piece)) await untilDrained(res);
    }
  } catch (error) {
    res.destroy();
    throw error;
  }
}

async function untilDrained(res: ServerResponse): Promise<void> {
  if (res.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.on("drain", done).on("close", done);
  });
}
