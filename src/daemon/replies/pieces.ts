import type { Reading } from "./unread.ts";

/** A body that is generated while it is sent. A consumer that stops early must call `return()`. */
export type Pieces = AsyncGenerator<Uint8Array, void, void>;

/** Yields the same pieces. Calls `end` after the last piece, or when the consumer stops early. */
export async function* endedBy(pieces: Pieces, end: () => void): Pieces {
  try {
    yield* pieces;
  } finally {
    end();
  }
}

/**
 * Ends a body that nobody has begun to read. The first `next()` is needed, because without it the generator's `finally`
 * would not run.
 */
export async function dropPieces(pieces: Pieces): Promise<void> {
  await pieces.next();
  await pieces.return();
}

/**
 * Returns a web stream that generates each piece when its reader requests it. `unread` resolves with `true` when a
 * reader that does not read must be disconnected. By default, no reader is disconnected.
 */
export function streamOf(
  pieces: Pieces,
  unread: (reading: Reading, ended: AbortSignal) => Promise<boolean> = async () => false,
): ReadableStream<Uint8Array> {
  const reading = { pulls: 0, waits: false };
  const ended = new AbortController();
  const leave = async (): Promise<void> => {
    ended.abort();
    if (reading.pulls > 0) await pieces.return();
    else await dropPieces(pieces);
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        void unread(reading, ended.signal).then(async (cut) => {
          if (!cut) return;
          controller.error(new Error("the answer was not read in time"));
          await leave().catch(() => undefined);
        });
      },
      pull: async (controller) => {
        reading.pulls++;
        reading.waits = true;
        try {
          const { done, value } = await pieces.next();
          if (done !== true) return controller.enqueue(value);
          ended.abort();
          controller.close();
        } catch (error) {
          ended.abort();
          throw error;
        } finally {
          reading.waits = false;
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
