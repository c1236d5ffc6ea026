/**
 * True for `.` and `..`. They are refused as labels: programs that follow the URL standard remove them from the path of
 * a URL, even percent-encoded, so no URL could name such a label to remove it.
 */
export function isDotSegment(name: string): boolean {
  return name === "." || name === "..";
}
