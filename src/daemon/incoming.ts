import { SvcError } from "../contract/errors.ts";

/** What parsers read of a request: off h3's event, or in the thread for large writes off bytes that it was handed. */
export interface Incoming {
  /** Path and query. */
  readonly url: string;
  /** One header by lower-case name; a repeated one is joined by `, `. */
  header(name: string): string | undefined;
  readonly hasBody: boolean;
  /** The whole body; `payload_too_large` as soon as it passes the limit, without keeping what came. */
  read(maxBytes: number): Promise<Buffer>;
}

/** A request whose body was read before. */
export function incomingFromBytes(
  { url, header }: Pick<Incoming, "url" | "header">,
  body: Uint8Array,
): Incoming {
  return {
    url,
    header,
    hasBody: body.byteLength > 0,
    read: async () => Buffer.from(body.buffer, body.byteOffset, body.byteLength),
  };
}

/** The client hung up before its request was complete; nobody is there to read an answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

export function tooLarge(limit: number): SvcError {
  return new SvcError(
    "payload_too_large",
    { limit },
    { message: `the request body is larger than ${limit} bytes` },
  );
}
