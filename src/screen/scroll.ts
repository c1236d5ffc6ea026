/** The nearest valid index of a list. */
export function clamp(at: number, count: number): number {
  return Math.max(0, Math.min(at, count - 1));
}

/** The index that is drawn on a line; `undefined` if none is. */
export function shownAt(line: number, at: number, count: number, room: number): number | undefined {
  const shown = centred(at, count, room) + line;
  return line >= 0 && line < room && shown < count ? shown : undefined;
}

/** The first index that is drawn, so that the cursor is in the middle except at both ends. */
export function centred(at: number, count: number, room: number): number {
  return Math.max(0, Math.min(at - Math.floor(room / 2), count - room));
}
