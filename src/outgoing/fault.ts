import { errorCode } from "../base/error-code.ts";

/**
 * Why a request has no answer:
 *
 * - `unsent`: nothing of it was sent. The host has no address, refuses connections, or shows no certificate to trust.
 * - `lost`: the connection failed later.
 * - `timeout`: the time limit of the request was exceeded.
 * - `too_large`: the answer is larger than the request allows.
 * - `unreadable`: the answer is not HTTP, or in an encoding that was not asked for.
 * - `elsewhere`: the address of the request, or the redirect in the answer, leads where svc does not follow.
 * - `wait_too_long`: the far side wants to be asked again later than the work may wait.
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

/** A request without an answer. The message and the cause contain no secret, so both may be logged and shown. */
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

/** The same error with a message that may be shown: its own message may repeat what was sent. */
export function redactedError(error: unknown, redact: (text: string) => string): Error {
  const message = redact(error instanceof Error ? error.message : String(error));
  return Object.assign(new Error(message), { code: errorCode(error) });
}
