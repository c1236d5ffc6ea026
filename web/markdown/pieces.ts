/** The maximum length of a piece in characters. A browser lays out this many in a few milliseconds. */
const PIECE = 4000;

/**
 * Cuts a long text into pieces, so that the browser lays out only the pieces in the window. A piece ends at the end of
 * a line, unless one line is longer than a piece.
 */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > PIECE) {
    const lineEnd = text.lastIndexOf("\n", start + PIECE);
    const end = lineEnd >= start ? lineEnd : start + whole(text, start, PIECE);
    pieces.push(text.slice(start, end));
    start = lineEnd >= start ? end + 1 : end;
  }
  return [...pieces, text.slice(start)];
}

/** Returns `length`, or one less if the text would otherwise be cut between the two halves of a surrogate pair. */
function whole(text: string, start: number, length: number): number {
  const last = text.charCodeAt(start + length - 1);
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}
