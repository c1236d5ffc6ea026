import type { IncomingMessage, ServerResponse } from "node:http";
import { H3Event } from "h3";
import type { ListenerDescriptor } from "../listener.ts";
import { ClientGone, type Incoming, tooLarge } from "./incoming.ts";
import { readNodeBody } from "./node-body.ts";
import { NodeRequest } from "./node-request.ts";
import type { SlowRequests } from "./slow-requests.ts";

export interface Connection {
  readonly listener: ListenerDescriptor;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly slow: SlowRequests;
}

/**
 * The h3 event of a request that came to one of the daemon's own listeners. Other events come from `app.fetch`, or from
 * a server that mounts the app.
 */
export class SocketEvent extends H3Event {
  readonly connection: Connection;

  constructor(connection: Connection) {
    super(new NodeRequest(connection.req, connection.res));
    this.connection = connection;
  }
}

export function headerOf(event: H3Event, name: string): string | undefined {
  if (!(event instanceof SocketEvent)) return event.req.headers.get(name) ?? undefined;
  const value = event.connection.req.headers[name];
  return typeof value === "string" ? value : value?.join(", ");
}

/** Returns Node's request, or `undefined` for a request that was made in this process. */
export function receivedBy(event: H3Event): IncomingMessage | undefined {
  return event.runtime?.node?.req as IncomingMessage | undefined;
}

/**
 * Returns all values of a header as they were sent. `name` is in lower case. Node's `headers` has only the first value
 * of some headers. It joins the values of others by `, `, which may also occur inside a value.
 */
export function rawHeaders(
  { rawHeaders: sent }: Pick<IncomingMessage, "rawHeaders">,
  name: string,
): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < sent.length; at += 2)
    if (sent[at]?.length === name.length && sent[at]?.toLowerCase() === name)
      values.push(sent[at + 1] ?? "");
  return values;
}

export function incomingOf(event: H3Event): Incoming {
  const header = (name: string): string | undefined => headerOf(event, name);
  return {
    url: event.url.pathname + event.url.search,
    header,
    hasBody: hasBody(event, header),
    read: async (maxBytes) => {
      if (!(event instanceof SocketEvent)) return await readWebBody(event, maxBytes);
      const { req, slow } = event.connection;
      return await readNodeBody(req, maxBytes, slow);
    },
  };
}

/**
 * True if the request has a body. HTTP/1.1 requests say so in their headers. For HTTP/2 and Fetch requests, `body` is
 * not null.
 */
function hasBody(event: H3Event, header: Incoming["header"]): boolean {
  if (header("transfer-encoding") !== undefined) return true;
  const length = header("content-length");
  if (length !== undefined) return Number(length) > 0;
  return event.runtime?.node?.req.httpVersionMajor !== 1 && event.req.body !== null;
}

async function readWebBody({ req: { body } }: H3Event, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of piecesOf(body)) {
    size += piece.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function* piecesOf(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  try {
    if (body !== null) yield* body;
  } catch (cause) {
    throw new ClientGone("the body broke off", { cause });
  }
}

/** Returns a signal that is aborted if the client disconnects before it has received the whole answer. */
export function goneOf(event: H3Event): AbortSignal {
  if (!(event instanceof SocketEvent)) return event.req.signal;
  const { res } = event.connection;
  const gone = new AbortController();
  if (res.destroyed || res.socket?.destroyed === true) gone.abort();
  else res.once("close", () => gone.abort());
  return gone.signal;
}
