/**
 * One event of a stream (docs/contract/http-api.md#54-the-stream). A frame without an event name contains only the id
 * up to which the log was read.
 */
export interface Frame {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Limits the memory of a frame that never ends. */
const MAX_FRAME_CHARACTERS = 16 * 1024 * 1024;

/**
 * Parses a text/event-stream from pieces of any size:
 *
 * - CR, LF and CRLF end a line.
 * - `data` lines are joined.
 * - Comments and unknown fields are ignored.
 * - An incomplete frame is held back until the rest of it has arrived.
 */
export class FrameReader {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #afterCr = false;
  #id: string | undefined;
  #numbered = false;
  #event = "";
  #data: string[] = [];
  #size = 0;

  push(piece: Uint8Array): readonly Frame[] {
    const frames: Frame[] = [];
    for (const line of this.#takeLines(this.#decoder.decode(piece, { stream: true }))) {
      if (line !== "") this.#readField(line);
      else if (this.#data.length > 0) frames.push(this.#complete());
      else frames.push(...this.#takePlace());
    }
    return frames;
  }

  #takeLines(text: string): readonly string[] {
    // A CR has already ended the line, so skip an LF after it, even at the start of the next piece.
    const fresh = this.#afterCr && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#afterCr = text.endsWith("\r");
    const lines = (this.#rest + fresh).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? "";
    this.#limitLength(this.#rest.length);
    return lines;
  }

  #readField(line: string): void {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") {
      this.#data.push(value);
      this.#size += value.length;
      this.#limitLength(this.#size);
    } else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) {
      this.#id = value;
      this.#numbered = true;
    }
  }

  #takePlace(): readonly Frame[] {
    const places = this.#numbered ? [{ id: this.#id, event: "", data: "" }] : [];
    this.#clear();
    return places;
  }

  #complete(): Frame {
    const frame = { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") };
    this.#clear();
    return frame;
  }

  #clear(): void {
    this.#event = "";
    this.#numbered = false;
    this.#data = [];
    this.#size = 0;
    this.#id = undefined;
  }

  #limitLength(length: number): void {
    if (length > MAX_FRAME_CHARACTERS) throw new Error("a frame of the event stream is too long");
  }
}
