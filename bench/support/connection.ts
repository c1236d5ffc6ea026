import net from "node:net";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * A minimal kept-alive HTTP/1.1 connection over a Unix socket, for one request at a time. It is minimal because it runs
 * on the same machine as the daemon that is measured, and so must use little processor time.
 */
export interface Connection {
  /** Sends a request. `headers` are complete lines with their line ends. */
  send(method: string, path: string, body?: string, headers?: string): Promise<Answer>;
  close(): void;
}

export async function connect(socketPath: string): Promise<Connection> {
  const socket = net.connect(socketPath);
  await new Promise<void>((resolve, reject) =>
    socket.once("connect", resolve).once("error", reject),
  );
  let incoming = new Incoming();
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  socket.on("data", (part) => {
    const answer = incoming.add(part);
    if (answer === undefined) return;
    incoming = new Incoming();
    const caller = waiting;
    waiting = undefined;
    caller?.resolve(answer);
  });
  const fail = (error: Error): void => waiting?.reject(error);
  socket.on("error", fail).on("close", () => fail(new Error("the daemon closed the connection")));
  return {
    send: async (method, path, body = "", headers = "") =>
      await new Promise<Answer>((resolve, reject) => {
        waiting = { resolve, reject };
        const type = body === "" ? "" : "content-type: application/json\r\n";
        const length = Buffer.byteLength(body);
        socket.write(
          `${method} ${path} HTTP/1.1\r\nhost: svc.invalid\r\n${headers}${type}content-length: ${length}\r\n\r\n${body}`,
        );
      }),
    close: () => {
      waiting = undefined;
      socket.destroy();
    },
  };
}

/**
 * The status of an answer, and where its body begins. `bytes` is the length of the body; `undefined` if the body comes
 * in chunks.
 */
interface Head {
  readonly status: number;
  readonly bodyAt: number;
  readonly bytes: number | undefined;
}

const LAST_CHUNK = "0\r\n\r\n";

/**
 * Collects the parts of one answer as they arrive. The parts of the body are joined once, when the body is complete.
 */
class Incoming {
  #parts: Buffer[] = [];
  #bytes = 0;
  #head: Head | undefined;

  add(part: Buffer): Answer | undefined {
    this.#parts.push(part);
    this.#bytes += part.length;
    this.#head ??= headOf(this.#joinParts());
    if (this.#head === undefined) return undefined;
    const { status, bodyAt, bytes } = this.#head;
    if (bytes === undefined ? !this.#endsWithLastChunk() : this.#bytes < bodyAt + bytes)
      return undefined;
    const body = this.#joinParts().subarray(bodyAt);
    return { status, body: (bytes === undefined ? withoutChunks(body) : body).toString("utf8") };
  }

  #joinParts(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] ?? Buffer.alloc(0);
  }

  #endsWithLastChunk(): boolean {
    const end = this.#parts
      .slice(-LAST_CHUNK.length)
      .map((part) => part.subarray(-LAST_CHUNK.length).toString("latin1"));
    return end.join("").endsWith(LAST_CHUNK);
  }
}

function headOf(received: Buffer): Head | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = received.toString("latin1", 0, headEnd);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const bytes = status === 304 ? 0 : length === undefined ? undefined : Number(length);
  return { status, bodyAt: headEnd + 4, bytes };
}

/** Joins the chunks of a complete body. */
function withoutChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, lineEnd), 16);
    if (size === 0) return Buffer.concat(chunks);
    const start = lineEnd + 2;
    chunks.push(body.subarray(start, start + size));
    at = start + size + 2;
  }
}
