import { UnavailableError } from "../shared/answer-errors.ts";

export type StartFault = "already_running" | "locked" | "address" | "home" | "storage";

/** The reason why a daemon did not start, in words for the user. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly fault: StartFault;
  readonly hint: string | undefined;

  constructor(
    fault: StartFault,
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.fault = fault;
    this.hint = options.hint;
  }
}

export function unavailable(error: StartError): UnavailableError {
  const { message, hint } = error;
  return new UnavailableError(message, {
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}
