import { errorCode } from "../base/error-code.ts";

/**
 * Why there is no answer to a request:
 *
 * - `unsent`: nothing was sent. The host has no address, refuses connections, or has no trusted certificate.
 * - `lost`: the connection failed later.
 * - `timeout`: the time limit of the request was exceeded.
 * - `too_large`: the answer is larger than the request allows.
 * - `unreadable`: the answer is not HTTP, or has an encoding that was not requested.
 * - `elsewhere`: the address of the request, or a redirect, leads to a place that svc does not call.
 * - `wait_too_long`: the far side asks for a longer wait than the work allows.
 * - `stopped`: the caller has aborted the request.
 */
export type OutgoingFaultKind =
  | "unsent"
  | "lost"
  | "timeout"
  | "too_large"
  | "unreadable"
  | "elsewhere"
  | "wait_too_long"
  | "stopped";

/** The fault of a request that got no answer. Message and cause contain no secret, so both may be logged and shown. */
export class OutgoingFault extends Error {
  override readonly name = "OutgoingFault";
  readonly kind: OutgoingFaultKind;
  /** Whether the far side may have received the request, and have carried it out. */
  readonly sent: boolean;

  constructor(kind: OutgoingFaultKind, message: string, sent: boolean, cause?: Error) {
    super(message, { cause });
    this.kind = kind;
    this.sent = sent;
  }
}

/** A copy of the error with a message that may be shown. The original message may repeat parts of the request. */
export function redactedError(error: unknown, redact: (text: string) => string): Error {
  const message = redact(error instanceof Error ? error.message : String(error));
  return Object.assign(new Error(message), { code: errorCode(error) });
}
