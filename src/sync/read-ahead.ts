/**
 * Reads one item ahead: while the consumer works on an item, the next one is read, and no further one. A fault of the
 * source is thrown only when the consumer wants the item that failed, so the items before it are handled first. If the
 * consumer stops early, the signal of the source is aborted, and the source has ended before this returns.
 */
export async function* readAhead<T>(
  source: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const over = new AbortController();
  const items = source(AbortSignal.any([signal, over.signal]))[Symbol.asyncIterator]();
  try {
    let next = items.next();
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = items.next();
      // If the consumer stops, nobody handles the fault of this item.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    over.abort();
    await items.return?.();
  }
}
