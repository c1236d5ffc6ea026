/**
 * Returns the first result of each list, then the second of each, and so on. Results of a search in several projects
 * are mixed in this way, because the scores of different projects cannot be compared.
 */
export function interleaved<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
}
