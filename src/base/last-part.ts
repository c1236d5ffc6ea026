/** Returns the last part of a path. Both `/` and `\` separate parts. */
export function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
