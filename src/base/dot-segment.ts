/**
 * True for `.` and `..`, which svc refuses as labels. The route that removes a label has the label in its path, and
 * programs that follow the URL standard drop `.` and `..` from a path, even percent-encoded. So such a label could not
 * be removed.
 */
export function isDotSegment(name: string): boolean {
  return name === "." || name === "..";
}
