import type { IncomingMessage, ServerResponse } from "node:http";
import { SvcError } from "../contract/errors.ts";
import type { SlowRequests } from "./slow-requests.ts";

/** How a request came in. `process` is a call inside this process (tests, embedding): there is no socket to judge. */
export type ListenerKind = "unix" | "tcp" | "process";

/**
 * A request as routes see it. The daemon answers through node:http directly: building Fetch objects for each request
 * costs a fifth of a small one, and loading them costs a quarter of the daemon's start.
 */
export interface Incoming {
  readonly method: string;
  /** Path and query as they stood in the request line. */
  readonly url: string;
  readonly listener: ListenerKind;
  /** One header by lower-case name; a repeated one is joined by `, `. */
  header(name: string): string | undefined;
  readonly hasBody: boolean;
  /** The whole body; `payload_too_large` as soon as it passes the limit, without keeping what came. */
  read(maxBytes: number): Promise<Buffer>;
  /** Aborted when the client hangs up before it has the whole answer. */
  gone(): AbortSignal;
  /** What a route needs that writes to the socket itself (the event stream). */
  readonly node: { readonly req: IncomingMessage; readonly res: ServerResponse } | undefined;
}

export function incomingFromNode(
  req: IncomingMessage,
  res: ServerResponse,
  listener: ListenerKind,
  slow?: SlowRequests,
): Incoming {
  const { headers } = req;
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  slow?.begun(req, res, hasBody);
  return {
    method: req.method ?? "GET",
    url: req.url ?? "/",
    listener,
    header: (name) => {
      const value = headers[name];
      return typeof value === "string" ? value : value?.join(", ");
    },
    hasBody,
    read: async (maxBytes) => await readNodeBody(req, maxBytes, slow),
    gone: () => goneWith(res),
    node: { req, res },
  };
}

export function incomingFromRequest(request: Request): Incoming {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    url: pathname + search,
    listener: "process",
    header: (name) => request.headers.get(name) ?? undefined,
    hasBody: request.body !== null,
    read: async (maxBytes) => {
      const bytes = Buffer.from(await request.arrayBuffer());
      if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
      return bytes;
    },
    gone: () => request.signal,
    node: undefined,
  };
}

/** A request whose body was read before. */
export function incomingFromBytes(
  {
    method,
    url,
    headers,
    header = (name) => headers?.[name],
  }: {
    readonly method: string;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly header?: Incoming["header"];
  },
  body: Uint8Array,
): Incoming {
  return {
    method,
    url,
    listener: "process",
    header,
    hasBody: body.byteLength > 0,
    read: async () => Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    gone: () => new AbortController().signal,
    node: undefined,
  };
}

/**
 * A body that is too large is refused at once but its rest is still taken from the socket and dropped: a client that
 * is in the middle of sending reads the answer instead of a broken pipe.
 */
async function readNodeBody(
  req: IncomingMessage,
  maxBytes: number,
  slow: SlowRequests | undefined,
): Promise<Buffer> {
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) {
    req.resume();
    throw tooLarge(maxBytes);
  }
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void): void => {
      req.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      act();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      settle(() => reject(tooLarge(maxBytes)));
      req.resume();
    };
    const [onEnd, onGone] = [
      () =>
        settle(() =>
          resolve(
            chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
          ),
        ),
      () => settle(() => reject(new ClientGone())),
    ];
    slow?.awaited(req, () => settle(() => reject(new SvcError("request_timeout"))));
    req.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

function goneWith(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed || res.socket?.destroyed === true) gone.abort();
  else res.once("close", () => gone.abort());
  return gone.signal;
}

/** The client hung up before its request was complete; nobody is there to read an answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

function tooLarge(limit: number): SvcError {
  return new SvcError(
    "payload_too_large",
    { limit },
    { message: `the request body is larger than ${limit} bytes` },
  );
}
