import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../base/clock.ts";
import { MAX_MESSAGE_BYTES } from "../protocol/line-reader.ts";
import { Refusal } from "./refusal.ts";

/** A client that reads nothing of its answer for this long is disconnected, because the unread rest is in memory. */
export const STALLED_MS = 120_000;

/** The maximum time for the whole body of a request. */
export const BODY_MS = 30_000;

/**
 * Converts the request, without its body, to the Fetch request that the MCP library takes. Its signal is aborted when
 * the client disconnects.
 */
export function toRequest(req: IncomingMessage, res: ServerResponse): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const { method = "GET" } = req;
  return new Request("http://localhost/mcp", { method, headers, signal: goneOf(res) });
}

/** Returns a signal that is aborted if the client disconnects before it has received its answer. */
export function goneOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else
    res.once("close", () => {
      if (!res.writableFinished) gone.abort();
    });
  return gone.signal;
}

/** Reads the body. If it is too large, nothing of it is kept, but the rest is still read and dropped. */
export async function readBody(req: IncomingMessage, clock: Clock): Promise<Buffer> {
  const tooLarge = new Refusal(413, `the body is longer than ${MAX_MESSAGE_BYTES} bytes`);
  if (Number(req.headers["content-length"] ?? 0) > MAX_MESSAGE_BYTES) throw tooLarge;
  const read = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const slow = new Refusal(408, "the body came too slowly", { Connection: "close" });
      void clock.sleep(BODY_MS, read.signal).then(() => reject(slow));
      let chunks: Buffer[] = [];
      let size = 0;
      req.on("data", (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size <= MAX_MESSAGE_BYTES) return void chunks.push(chunk);
        chunks = [];
        reject(tooLarge);
      });
      req.once("end", () => resolve(Buffer.concat(chunks)));
      req.once("close", () => reject(new Refusal(400, "the body ended early")));
    });
  } finally {
    read.abort();
  }
}

/**
 * Writes the answer as fast as the client takes it. Resolves when the answer is written or the client has disconnected.
 */
export async function send(response: Response, res: ServerResponse, clock: Clock): Promise<void> {
  if (res.destroyed) return await response.body?.cancel();
  res.writeHead(response.status, headersOf(response).flat());
  if (response.body !== null) await sendBody(response.body, res, clock);
  res.end();
  if (!res.writableFinished) await untilTaken(res, "finish", clock);
}

/**
 * The headers of the answer, without the library's `connection: keep-alive`: the client's own header decides whether
 * the connection is kept.
 */
function headersOf({ headers }: Response): readonly (readonly [string, string])[] {
  return [...headers].filter(([name, value]) => name !== "connection" || value !== "keep-alive");
}

async function sendBody(body: ReadableStream, res: ServerResponse, clock: Clock): Promise<void> {
  // Send the headers now, because an event stream may have nothing to send for a long time.
  res.flushHeaders();
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  res.once("close", stop);
  while (!res.destroyed) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!res.write(value)) await untilTaken(res, "drain", clock);
  }
  // After `res.destroy()`, the event `close` comes later and must still call `stop`.
  if (!res.destroyed) res.off("close", stop);
}

/**
 * Resolves when the client has taken what was written or has disconnected. A client that takes nothing for `STALLED_MS`
 * is disconnected.
 */
async function untilTaken(
  res: ServerResponse,
  event: "drain" | "finish",
  clock: Clock,
): Promise<void> {
  if (res.destroyed) return;
  const over = new AbortController();
  const end = (): void => over.abort();
  res.once(event, end).once("close", end);
  await clock.sleep(STALLED_MS, over.signal);
  res.off(event, end).off("close", end);
  if (!over.signal.aborted) res.destroy();
}
