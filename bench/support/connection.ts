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
  let received = Buffer.alloc(0);
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  socket.on("data", (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const complete = takeAnswer(received);
    if (complete === undefined) return;
    received = received.subarray(complete.bytes);
    const caller = waiting;
    waiting = undefined;
    caller?.resolve(complete.answer);
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

function takeAnswer(buffer: Buffer): { answer: Answer; bytes: number } | undefined {
  const headEnd = buffer.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const head = buffer.toString("latin1", 0, headEnd);
  const status = Number(head.slice(9, 12));
  const start = headEnd + 4;
  if (status === 304) return { answer: { status, body: "" }, bytes: start };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return buffer.length < end
      ? undefined
      : { answer: { status, body: buffer.toString("utf8", start, end) }, bytes: end };
  }
  return takeChunked(buffer, start, status);
}

function takeChunked(
  buffer: Buffer,
  start: number,
  status: number,
): { answer: Answer; bytes: number } | undefined {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = buffer.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(buffer.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (buffer.length < next) return undefined;
    if (size === 0)
      return { answer: { status, body: Buffer.concat(parts).toString("utf8") }, bytes: next };
    parts.push(buffer.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
