import { promisify } from "node:util";
import type { Gzip } from "node:zlib";
import { ERRORS, type ErrorEntry } from "../../contract/error-codes.ts";
import type { SvcError } from "../../contract/errors.ts";
import { bestCoding } from "./accept-encoding.ts";
import type { Pieces } from "./pieces.ts";

/** A body that is complete before it is sent. A list contains the parts of one body. */
export type WholeBody = string | Buffer | readonly string[];
export type Body = WholeBody | Pieces;

/** A header of every answer. Without it, a browser might interpret JSON with a user's text as a page or a script. */
export const NO_SNIFF = { "x-content-type-options": "nosniff" } as const;

/** Headers of an answer by their lower-case names. Only `set-cookie` may have several values. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** The headers as a list, in which a name with several values occurs several times. */
export function headerList(headers: Headers): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}

export class Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;

  constructor(status: number, headers: Headers, body: Body = "") {
    this.status = status;
    this.headers = { ...NO_SNIFF, ...headers };
    this.body = body;
  }

  with(body: Body, headers: Headers = {}): Reply {
    return new Reply(this.status, { ...this.headers, ...headers }, body);
  }
}

export function isStream(body: Body): body is Pieces {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

export function bytesOf(body: WholeBody): number {
  if (typeof body === "string" || Buffer.isBuffer(body)) return Buffer.byteLength(body);
  return body.reduce((bytes, part) => bytes + Buffer.byteLength(part), 0);
}

export function joined(body: WholeBody): string | Buffer {
  return typeof body === "string" || Buffer.isBuffer(body) ? body : body.join("");
}

/** The reply of a route that has written its answer to the socket itself. */
export const TAKEN_OVER = new Reply(0, {});

const JSON_TYPE = "application/json";

export function jsonReply(status: number, value: unknown, headers?: Headers): Reply {
  return new Reply(status, { "content-type": JSON_TYPE, ...headers }, JSON.stringify(value));
}

export function jsonBytes(
  status: number,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Reply {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Reply(status, { "content-type": JSON_TYPE, ...headers }, body);
}

/** Returns a reply whose JSON text consists of `parts`. */
export function jsonParts(
  status: number,
  parts: readonly string[],
  headers: Readonly<Record<string, string>>,
): Reply {
  return new Reply(status, { "content-type": JSON_TYPE, ...headers }, parts);
}

export function jsonStream(
  status: number,
  pieces: Pieces,
  headers: Readonly<Record<string, string>>,
): Reply {
  return new Reply(status, { "content-type": JSON_TYPE, ...headers }, pieces);
}

/**
 * The error body of the contract. `hint` and `data` are left out if they are empty
 * (docs/contract/http-api.md#12-error-body).
 */
export function errorReply(error: SvcError, headers?: Readonly<Record<string, string>>): Reply {
  const { code, message, hint, data, status } = error;
  const entry: ErrorEntry = ERRORS[code];
  const { retryAfterSeconds: seconds } = entry;
  const retry = seconds === undefined ? {} : { "retry-after": String(seconds) };
  const challenge = status === 401 ? { "www-authenticate": "Bearer" } : {};
  const body = {
    status,
    error: {
      code,
      message,
      ...(hint === undefined || hint === "" ? {} : { hint }),
      ...(Object.keys(data).length === 0 ? {} : { data }),
    },
  };
  return jsonReply(status, body, { ...retry, ...challenge, ...headers });
}

/** The answer for a bug. It has no details; those are only in the log. */
export function internalReply(): Reply {
  const { status, message } = ERRORS.internal;
  return jsonReply(status, { status, error: { code: "internal", message } });
}

/** Below this size gzip costs more than it saves. */
const MIN_GZIP_BYTES = 1024;

/**
 * Compresses JSON for a client that accepts gzip (docs/contract/http-api.md#11-transport-and-formats). Uses level 1,
 * because a local connection or a private network is fast.
 */
export async function compressed(reply: Reply, acceptEncoding: string | undefined): Promise<Reply> {
  if (acceptEncoding === undefined || reply.headers["content-type"] !== JSON_TYPE) return reply;
  const { body } = reply;
  if (!isStream(body) && bytesOf(body) < MIN_GZIP_BYTES) return reply;
  const headers = { vary: "accept-encoding" };
  if (bestCoding(acceptEncoding, ["gzip"]) === undefined) return reply.with(body, headers);
  const zlib = await import("node:zlib");
  const small = isStream(body)
    ? gzipped(body, zlib.createGzip({ level: LEVEL }))
    : await promisify<Buffer | string, { level: number }, Buffer>(zlib.gzip)(joined(body), {
        level: LEVEL,
      });
  return reply.with(small, { ...headers, "content-encoding": "gzip" });
}

const LEVEL = 1;

/**
 * Compresses the pieces. If making a piece fails, the error is thrown here too, so that the connection is cut: the
 * client must not mistake a part of the answer for the whole.
 */
async function* gzipped(pieces: Pieces, gzip: Gzip): Pieces {
  const { Readable, pipeline } = process.getBuiltinModule("node:stream");
  pipeline(Readable.from(pieces, { objectMode: false }), gzip, () => undefined);
  yield* gzip as AsyncIterable<Buffer>;
}
