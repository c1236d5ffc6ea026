import type { Reading } from "./unread.ts";

/** A body that is made while it is sent. Whoever does not read it to its end returns it. */
export type Pieces = AsyncGenerator<Uint8Array, void, void>;

/** The same pieces; `end` is called behind the last one, or when they are not wanted any more. */
export async function* endedBy(pieces: Pieces, end: () => void): Pieces {
  try {
    yield* pieces;
  } finally {
    end();
  }
}

/** Ends a body that nobody has begun to read: a generator that never began would not run its end. */
export async function drop(pieces: Pieces): Promise<void> {
  await pieces.next();
  await pieces.return();
}

/**
 * The same as a stream of the web, whose next piece is made when its reader asks for it. `unread` says when a reader
 * that does not ask is cut; without it nobody is.
 */
export function streamOf(
  pieces: Pieces,
  unread: (reading: Reading, ended: AbortSignal) => Promise<boolean> = async () => false,
): ReadableStream<Uint8Array> {
  const reading = { asked: 0, waits: false };
  const ended = new AbortController();
  const leave = async (): Promise<void> => {
    ended.abort();
    if (reading.asked > 0) await pieces.return();
    else await drop(pieces);
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
        reading.asked++;
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
