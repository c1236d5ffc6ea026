import { promisify } from "node:util";
import { ERRORS, type ErrorEntry, type SvcError } from "../contract/errors.ts";

/** An answer before it is written to a socket or wrapped in a `Response`. */
export class Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;

  constructor(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string | Buffer = "",
  ) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** The route has written to the socket itself. */
export const TAKEN_OVER = new Reply(0, {});

const JSON_TYPE = "application/json";

export function jsonReply(
  status: number,
  value: unknown,
  headers?: Readonly<Record<string, string>>,
): Reply {
  return new Reply(status, { "content-type": JSON_TYPE, ...headers }, JSON.stringify(value));
}

/** JSON that is bytes already. */
export function jsonBytes(status: number, bytes: Uint8Array): Reply {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Reply(status, { "content-type": JSON_TYPE }, body);
}

/** The error body of the contract: `hint` and `data` are left out when empty (facts http-api 1.2). */
export function errorReply(error: SvcError, headers?: Readonly<Record<string, string>>): Reply {
  const { code, message, hint, data, status } = error;
  const entry: ErrorEntry = ERRORS[code];
  const { retryAfterSeconds: seconds } = entry;
  const retry = seconds === undefined ? {} : { "retry-after": String(seconds) };
  const body = {
    status,
    error: {
      code,
      message,
      ...(hint === undefined || hint === "" ? {} : { hint }),
      ...(Object.keys(data).length === 0 ? {} : { data }),
    },
  };
  return jsonReply(status, body, { ...retry, ...headers });
}

/** What a client hears of a bug of ours: nothing. The log has the rest. */
export function internalReply(): Reply {
  const { status, message } = ERRORS.internal;
  return jsonReply(status, { status, error: { code: "internal", message } });
}

/** Below this gzip saves less than its header and the two passes cost. */
const MIN_GZIP_BYTES = 1024;

/** Compresses JSON for a client that accepts gzip (facts http-api 1.1). Level 1: the wire is local or private. */
export async function compressed(reply: Reply, acceptEncoding: string | undefined): Promise<Reply> {
  if (acceptEncoding === undefined || reply.headers["content-type"] !== JSON_TYPE) return reply;
  if (Buffer.byteLength(reply.body) < MIN_GZIP_BYTES) return reply;
  const headers = { ...reply.headers, vary: "accept-encoding" };
  if (!acceptsGzip(acceptEncoding)) return new Reply(reply.status, headers, reply.body);
  const { gzip } = await import("node:zlib");
  const body = await promisify<Buffer | string, { level: number }, Buffer>(gzip)(reply.body, {
    level: 1,
  });
  return new Reply(reply.status, { ...headers, "content-encoding": "gzip" }, body);
}

/** RFC 9110 12.5.3: a named coding counts before `*`, and a weight of zero refuses it. */
export function acceptsGzip(acceptEncoding: string): boolean {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = item.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}
