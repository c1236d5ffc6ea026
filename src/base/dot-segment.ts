/**
 * True for `.` and `..`. Where a name stands in a path, clients and servers that follow the URL standard remove these,
 * percent-encoded ones too, and so address something else. A label of that name could never be taken off again.
 */
export function isDotSegment(name: string): boolean {
  return name === "." || name === "..";
}
