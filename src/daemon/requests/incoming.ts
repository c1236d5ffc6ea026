import { SvcError } from "../../contract/errors.ts";

/**
 * A request in the form that the parsers read. It is made from h3's event, or from the bytes that the write worker
 * received.
 */
export interface Incoming {
  readonly url: string;
  /** A header by lower-case name; the values of a repeated header are joined by `, `. */
  header(name: string): string | undefined;
  readonly hasBody: boolean;
  /** Reads the whole body. Throws `payload_too_large` as soon as the body is longer than `maxBytes`. */
  read(maxBytes: number): Promise<Buffer>;
}

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

/** Thrown if the client has disconnected, so that nobody would read an answer. */
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
