/** Yields rows in slices of `size`, ordered by id and starting after the id `from`, until a slice is not full. */
export async function* slicesById<R extends { readonly id: number }>(
  size: number,
  from: number,
  read: (after: number) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[], void, void> {
  for (let after = from; ; ) {
    const slice = await read(after);
    const last = slice.at(-1);
    if (last !== undefined) yield slice;
    if (last === undefined || slice.length < size) return;
    after = last.id;
  }
}
