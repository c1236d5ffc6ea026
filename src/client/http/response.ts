/**
 * The status and headers of a response. Names are in lower case. The values of a repeated header are joined by commas.
 */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Called in order: one head, any number of body pieces, one end. */
export interface ResponseHandler {
  onHead(head: ResponseHead): void;
  onBody(piece: Buffer): void;
  /** `reusable`: the connection may carry another request. */
  onEnd(reusable: boolean): void;
}

/** Thrown if the bytes are not HTTP/1.1, or if the response ends too early. */
export class MalformedResponse extends Error {
  override readonly name = "MalformedResponse";
}

const MAX_HEAD_BYTES = 64 * 1024;

type State =
  | { readonly name: "head" }
  /** `left` bytes of the body or the chunk are still to come. */
  | { readonly name: "counted"; readonly left: number }
  | { readonly name: "chunk"; readonly left: number }
  | { readonly name: "chunk-size" }
  | { readonly name: "trailer" }
  | { readonly name: "until-close" }
  | { readonly name: "done" };

/**
 * Reads one HTTP/1.1 response from pieces of any size (RFC 9112), for Unix sockets, TCP and TLS. It exists because
 * `node:http` would add two milliseconds to the start of every command.
 *
 *   head ── Content-Length ──> counted ──────────────> done
 *     ├──── chunked ─────────> chunk-size <─> chunk
 *     │                            └──> trailer ─────> done
 *     └──── neither ─────────> until-close ── end ───> done
 */
export class ResponseReader {
  readonly #handler: ResponseHandler;
  readonly #hasNoBody: boolean;
  #state: State = { name: "head" };
  #waiting: Buffer = EMPTY;
  #reusable = true;

  /** A response to HEAD has no body, whatever its headers say. */
  constructor(handler: ResponseHandler, method = "GET") {
    this.#handler = handler;
    this.#hasNoBody = method === "HEAD";
  }

  /** Parses the next bytes from the socket. Throws `MalformedResponse`. */
  push(piece: Buffer): void {
    this.#waiting = this.#waiting.length === 0 ? piece : Buffer.concat([this.#waiting, piece]);
    while (this.#readStep()) {
      // Each step parses one part of the bytes. Bytes that are not a whole part wait for the next piece.
    }
  }

  end(): void {
    if (this.#state.name === "done") return;
    if (this.#state.name !== "until-close")
      throw new MalformedResponse("the answer ends in the middle");
    this.#finish();
  }

  /** The bytes after the response. If several requests were sent, these bytes belong to the next response. */
  rest(): Buffer {
    return this.#waiting;
  }

  /** Parses one part of the bytes that have arrived. Returns true if another part may follow. */
  #readStep(): boolean {
    const state = this.#state;
    switch (state.name) {
      case "head":
        return this.#readHead();
      case "counted":
      case "chunk":
        return this.#readCounted(state);
      case "chunk-size":
        return this.#readChunkSize();
      case "trailer":
        return this.#readTrailer();
      case "until-close":
        return this.#readAll();
      case "done":
        return false;
    }
  }

  #readHead(): boolean {
    const end = this.#waiting.indexOf("\r\n\r\n");
    if (end === -1) {
      if (this.#waiting.length > MAX_HEAD_BYTES)
        throw new MalformedResponse("the header is too long");
      return false;
    }
    const head = parseHead(this.#take(end + 4).toString("latin1"));
    // Responses such as 100 and 103 are interim: the final head follows them.
    if (head.status < 200) return true;
    this.#state = this.#hasNoBody ? { name: "counted", left: 0 } : bodyState(head);
    const close = /\bclose\b/i.test(head.headers["connection"] ?? "");
    this.#reusable = !close && this.#state.name !== "until-close";
    this.#handler.onHead(head);
    return true;
  }

  #readCounted({
    name,
    left,
  }: {
    readonly name: "counted" | "chunk";
    readonly left: number;
  }): boolean {
    const piece = this.#take(Math.min(left, this.#waiting.length));
    if (piece.length > 0) this.#handler.onBody(piece);
    const rest = left - piece.length;
    if (rest > 0) {
      this.#state = { name, left: rest };
      return false;
    }
    if (name === "counted") this.#finish();
    else {
      if (this.#waiting.length < 2) {
        this.#state = { name, left: 0 };
        return false;
      }
      if (this.#take(2).toString("latin1") !== "\r\n")
        throw new MalformedResponse("a chunk is too long");
      this.#state = { name: "chunk-size" };
    }
    return true;
  }

  #readChunkSize(): boolean {
    const line = this.#takeLine();
    if (line === undefined) return false;
    const size = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/.exec(line)?.[1];
    if (size === undefined) throw new MalformedResponse("a chunk has no size");
    const left = Number.parseInt(size, 16);
    this.#state = left === 0 ? { name: "trailer" } : { name: "chunk", left };
    return true;
  }

  #readTrailer(): boolean {
    const line = this.#takeLine();
    if (line === undefined) return false;
    if (line === "") this.#finish();
    return true;
  }

  #readAll(): boolean {
    if (this.#waiting.length > 0) this.#handler.onBody(this.#take(this.#waiting.length));
    return false;
  }

  #takeLine(): string | undefined {
    const end = this.#waiting.indexOf("\r\n");
    if (end === -1) {
      if (this.#waiting.length > MAX_HEAD_BYTES) throw new MalformedResponse("a line is too long");
      return undefined;
    }
    return this.#take(end + 2).toString("latin1", 0, end);
  }

  #take(length: number): Buffer {
    const bytes = this.#waiting.subarray(0, length);
    this.#waiting = this.#waiting.subarray(length);
    return bytes;
  }

  /** Ends the response. The connection is not used again if unexpected bytes follow. */
  #finish(): void {
    this.#state = { name: "done" };
    this.#handler.onEnd(this.#reusable && this.#waiting.length === 0);
  }
}

const EMPTY = Buffer.alloc(0);

function parseHead(text: string): ResponseHead {
  const [first = "", ...lines] = text.slice(0, -4).split("\r\n");
  const status = /^HTTP\/1\.1 ([1-5]\d\d)(?: |$)/.exec(first)?.[1];
  if (status === undefined) throw new MalformedResponse("the answer is not HTTP/1.1");
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const parts = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*(.*?)[ \t]*$/.exec(line);
    if (parts === null) throw new MalformedResponse("a header line is not one");
    const [, name = "", value = ""] = parts;
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return { status: Number(status), headers };
}

function bodyState({ status, headers }: ResponseHead): State {
  if (status === 204 || status === 304) return { name: "counted", left: 0 };
  const encoding = headers["transfer-encoding"];
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== "chunked")
      throw new MalformedResponse("an unknown transfer encoding");
    return { name: "chunk-size" };
  }
  const length = headers["content-length"];
  if (length === undefined) return { name: "until-close" };
  if (!/^\d{1,15}$/.test(length))
    throw new MalformedResponse("the length of the body is no number");
  return { name: "counted", left: Number(length) };
}
