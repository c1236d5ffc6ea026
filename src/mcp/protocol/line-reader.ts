/** The largest message, received or sent, in bytes (docs/contract/tools.md#22-errors-of-the-protocol). */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** A line of the input without its newline, or `undefined` for a line that was longer than `MAX_MESSAGE_BYTES`. */
export type Line = Buffer | undefined;

/** Splits the input into lines. Nothing is kept of a line that is too long, so that it cannot fill the memory. */
export class LineReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isTooLong = false;

  /** Takes the next bytes, and returns the lines that are complete with them. */
  push(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(10, from);
      this.#keepPiece(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return lines;
      lines.push(this.#take());
      from = end + 1;
    }
  }

  #keepPiece(piece: Buffer): void {
    if (this.#isTooLong) return;
    this.#bytes += piece.length;
    this.#isTooLong = this.#bytes > MAX_MESSAGE_BYTES;
    if (this.#isTooLong) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #take(): Line {
    const line = this.#isTooLong ? undefined : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
    this.#isTooLong = false;
    return line;
  }
}
