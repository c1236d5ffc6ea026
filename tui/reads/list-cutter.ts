const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** In the answer's object stands a list, and in that what is cut out. */
const DEPTH = 3;

/**
 * Cuts the objects out of the list in an answer, `{"issues":[{…},{…}]}`, while it comes in pieces: the text of thousands
 * of issues need not be in memory at once, and nothing else waits until all of it is parsed.
 */
export class ListCutter {
  /** The beginning of an object that is not whole yet. */
  #rest: Buffer = Buffer.alloc(0);
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #isList = false;

  /** The objects that are whole with this piece, as texts. */
  push(piece: Buffer): readonly string[] {
    const from = this.#rest.length;
    const data = from === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const found: string[] = [];
    let start = from === 0 ? -1 : 0;
    for (let at = from; at < data.length; at += 1) {
      const byte = data[at];
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isText = false;
      } else if (byte === QUOTE) this.#isText = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#depth += 1;
        if (this.#depth === DEPTH - 1) this.#isList = byte === OPEN_LIST;
        if (this.#depth === DEPTH && this.#isList && byte === OPEN_OBJECT) start = at;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        this.#depth -= 1;
        if (this.#depth < DEPTH && start !== -1) {
          found.push(data.toString("utf8", start, at + 1));
          start = -1;
        }
      }
    }
    this.#rest = start === -1 ? Buffer.alloc(0) : data.subarray(start);
    return found;
  }
}
