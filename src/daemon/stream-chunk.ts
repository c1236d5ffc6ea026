/**
 * A piece of an event stream, encoded once for all its readers: as it is, and as a ready-made chunk of an HTTP/1.1 body
 * for those on a socket. Through `response.write` each chunk would cost several times as much (performance-probe 4.3).
 */
export class StreamChunk {
  readonly #text: string;
  /** Bytes of the text. */
  readonly size: number;
  #bytes: Buffer | undefined;
  #framed: Buffer | undefined;

  constructor(text: string) {
    this.#text = text;
    this.size = Buffer.byteLength(text);
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.#text);
    return this.#bytes;
  }

  get framed(): Buffer {
    this.#framed ??= Buffer.from(`${this.size.toString(16)}\r\n${this.#text}\r\n`);
    return this.#framed;
  }
}
