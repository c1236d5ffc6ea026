import type { ServerResponse } from "node:http";
import { drop, type Pieces } from "./pieces.ts";
import { isStream, type Reply } from "./reply.ts";

/** A longer body is written in parts of this size, so that the daemon notices a client that does not read. */
const PART_BYTES = 256 * 1024;

export function isLong({ body }: Reply): boolean {
  return isStream(body) || Buffer.byteLength(body) > PART_BYTES;
}

/**
 * Writes an answer. Each part of a long one is written only when the client has received the part before it, so only
 * one part is in memory. If making the body fails, the connection is cut, so that the client does not mistake a part of
 * the answer for the whole.
 */
export async function send(
  res: ServerResponse,
  { status, headers, body }: Reply,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  if (res.destroyed) return isStream(body) ? await drop(body) : undefined;
  const head = { ...headers, ...more };
  const noBody = status === 204 || status === 304 || res.req.method === "HEAD";
  if (isStream(body)) {
    res.writeHead(status, head);
    if (noBody) await drop(body);
    else await sendPieces(res, body);
  } else if (status === 204 || status === 304) res.writeHead(status, head);
  else {
    const bytes = Buffer.byteLength(body);
    res.writeHead(status, { ...head, "content-length": bytes });
    if (!noBody && bytes <= PART_BYTES) return void res.end(body);
    if (!noBody)
      await sendPieces(res, partsOf(typeof body === "string" ? Buffer.from(body) : body));
  }
  if (!res.destroyed) res.end();
}

async function* partsOf(body: Buffer): Pieces {
  for (let at = 0; at < body.length; at += PART_BYTES) yield body.subarray(at, at + PART_BYTES);
}

async function sendPieces(res: ServerResponse, pieces: Pieces): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (res.destroyed) return;
      if (!res.write(piece)) await drained(res);
    }
  } catch (error) {
    res.destroy();
    throw error;
  }
}

async function drained(res: ServerResponse): Promise<void> {
  if (res.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.on("drain", done).on("close", done);
  });
}
