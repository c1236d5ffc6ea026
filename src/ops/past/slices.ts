const SLICE = 1000;

/** Rows of a fold one by one; other work gets its turn between so many of them. */
export async function* inSlices<T>(rows: Iterable<T>): AsyncGenerator<T> {
  let seen = 0;
  for (const row of rows) {
    if (++seen % SLICE === 0) await new Promise<void>((next) => setImmediate(next));
    yield row;
  }
}
