import type { ErrorCode } from "../../contract/error-codes.ts";
import { SvcError } from "../../contract/errors.ts";

/** An error as a message between threads: a refusal, or the stack trace of a bug. */
export type WorkerError = { readonly refused: WorkerRefusal } | { readonly fault: string };

export interface WorkerRefusal {
  readonly code: ErrorCode;
  readonly data: SvcError["data"];
  readonly message: string;
  readonly hint: string | undefined;
}

export function errorToMessage(error: unknown): WorkerError {
  if (error instanceof SvcError) {
    const { code, data, message, hint } = error;
    return { refused: { code, data, message, hint } };
  }
  return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function messageToError(sent: WorkerError): Error {
  if ("fault" in sent) return new Error(sent.fault);
  const { code, data, message, hint } = sent.refused;
  return new SvcError(code, data, hint === undefined ? { message } : { message, hint });
}
