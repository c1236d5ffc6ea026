/** A place in a list of so many lines: the nearest one that there is. */
export function clamp(at: number, count: number): number {
  return Math.max(0, Math.min(at, count - 1));
}

/** Which of the list stands on the line, counted from the first that is drawn. */
export function shownAt(line: number, at: number, count: number, room: number): number | undefined {
  const shown = centred(at, count, room) + line;
  return line >= 0 && line < room && shown < count ? shown : undefined;
}

/** The first line that is drawn where there is room for so many: the cursor is in the middle, but at both ends. */
export function centred(at: number, count: number, room: number): number {
  return Math.max(0, Math.min(at - Math.floor(room / 2), count - room));
}
