import type { IncomingMessage } from "node:http";
import { SvcError } from "../../contract/errors.ts";
import { ClientGone, tooLarge } from "./incoming.ts";
import type { SlowRequests } from "./slow-requests.ts";

/**
 * Reads the body of a request on a daemon's socket. If the body is too large, the request is refused at once, but the
 * rest of the body is still read and dropped. Otherwise a client that is still sending would get a broken pipe and no
 * answer.
 */
export async function readNodeBody(
  req: IncomingMessage,
  maxBytes: number,
  slow: SlowRequests,
): Promise<Buffer> {
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) {
    req.resume();
    throw tooLarge(maxBytes);
  }
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void): void => {
      req.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      act();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      settle(() => reject(tooLarge(maxBytes)));
      req.resume();
    };
    const [onEnd, onGone] = [
      () =>
        settle(() =>
          resolve(
            chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
          ),
        ),
      () => settle(() => reject(new ClientGone())),
    ];
    slow.awaited(req, () => settle(() => reject(new SvcError("request_timeout"))));
    req.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}
