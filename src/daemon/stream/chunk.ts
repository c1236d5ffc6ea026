/**
 * A piece of an event stream. It is encoded once for all readers: as plain bytes, and as a chunk of an HTTP/1.1 body
 * for readers on a socket. Calling `response.write` for each reader would cost several times as much.
 */
export class StreamChunk {
  readonly #text: string;
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
