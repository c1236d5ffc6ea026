import { connect } from "node:net";
import { type ResponseHead, ResponseReader } from "./response.ts";

/** The connection was accepted, but no answer came. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export interface PipelinedAnswer extends ResponseHead {
  readonly body: Buffer;
}

/**
 * Writes all requests to a Unix socket at once and reads their answers, which come in the same order (RFC 9112, 9.3.2).
 * It must be used only for reads, because after an error nobody knows which requests were carried out. The connection
 * is closed after the last answer.
 */
export async function ask(
  path: string,
  requests: readonly Buffer[],
  timeoutMs: number,
): Promise<readonly PipelinedAnswer[]> {
  const socket = connect({ path });
  try {
    return await new Promise((resolve, reject) => {
      const answers: PipelinedAnswer[] = [];
      let reader = next();
      function next(): ResponseReader {
        const pieces: Buffer[] = [];
        let head: ResponseHead = { status: 0, headers: {} };
        return new ResponseReader({
          onHead: (received) => {
            head = received;
          },
          onBody: (piece) => pieces.push(piece),
          onEnd: () => void answers.push({ ...head, body: joined(pieces) }),
        });
      }
      const take = (piece: Buffer): void => {
        let rest = piece;
        while (answers.length < requests.length) {
          const before = answers.length;
          reader.push(rest);
          if (answers.length === before) return;
          rest = reader.rest();
          reader = next();
        }
        resolve(answers);
      };
      const attempt = (work: () => void): void => {
        try {
          work();
        } catch (error) {
          reject(error);
        }
      };
      socket
        .setTimeout(timeoutMs, () => reject(new NoAnswer()))
        .on("data", (piece: Buffer) => attempt(() => take(piece)))
        .on("end", () => attempt(() => reader.end()))
        .on("error", reject)
        .on("close", () => reject(new Error("the connection was closed")));
      socket.write(requests.length === 1 ? (requests[0] ?? "") : Buffer.concat(requests));
    });
  } finally {
    socket.destroy();
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
