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

/** The same as a stream of the web, whose next piece is made when its reader asks for it. */
export function streamOf(pieces: Pieces): ReadableStream<Uint8Array> {
  let begun = false;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        begun = true;
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        if (begun) await pieces.return();
        else await drop(pieces);
      },
    },
    { highWaterMark: 0 },
  );
}
