/** The most characters in a piece: a browser lays out this many in a few milliseconds, whatever they are. */
const PIECE = 4000;

/**
 * A long text in pieces, so that the browser lays out only those in the window. A piece ends at the end of a line. Only
 * a line that is longer than a piece is cut.
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

/** The length without half a character at its end. */
function whole(text: string, start: number, length: number): number {
  const last = text.charCodeAt(start + length - 1);
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}
