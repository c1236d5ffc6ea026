import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../base/clock.ts";
import { MAX_MESSAGE_BYTES } from "../protocol/line-reader.ts";
import { Refusal } from "./refusal.ts";

/** A client that takes nothing of its answer for this long is cut off: it would hold the memory of the answer. */
export const STALLED_MS = 120_000;

/** Time for the whole body of a request. */
export const BODY_MS = 30_000;

/** The request without its body, as the library takes it. Its signal is aborted when the client goes away. */
export function toRequest(req: IncomingMessage, res: ServerResponse): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  const { method = "GET" } = req;
  return new Request("http://localhost/mcp", { method, headers, signal: gone.signal });
}

/** Reads the body. Of a body that is too large nothing is kept; the rest of it is read and dropped. */
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

/** Writes the answer, as fast as the client takes it. Resolves when it is written or the client is gone. */
export async function send(response: Response, res: ServerResponse, clock: Clock): Promise<void> {
  if (res.destroyed) return await response.body?.cancel();
  res.writeHead(response.status, [...response.headers].flat());
  if (response.body === null) return void res.end();
  // An event stream may have nothing to say for a long time.
  res.flushHeaders();
  const reader = response.body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  res.once("close", stop);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!res.write(value)) await drained(res, clock);
  }
  res.off("close", stop);
  res.end();
}

async function drained(res: ServerResponse, clock: Clock): Promise<void> {
  const taken = new AbortController();
  const take = (): void => taken.abort();
  res.once("drain", take).once("close", take);
  await clock.sleep(STALLED_MS, taken.signal);
  res.off("drain", take).off("close", take);
  if (!taken.signal.aborted) res.destroy();
}
