import { ERRORS, type ErrorCode, type ErrorEntry } from "./error-codes.ts";

/** The body of every refusal (docs/contract/http-api.md#12-error-body). */
export interface ErrorBody {
  readonly status: number;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

export interface SvcErrorOptions {
  readonly message?: string;
  readonly hint?: string;
  readonly cause?: unknown;
  /** The HTTP status, for the codes whose status another daemon decides. */
  readonly status?: number;
}

export class SvcError extends Error {
  override readonly name = "SvcError";
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  readonly hint: string | undefined;
  readonly status: number;

  constructor(
    code: ErrorCode,
    data: Readonly<Record<string, unknown>> = {},
    options: SvcErrorOptions = {},
  ) {
    const entry: ErrorEntry = ERRORS[code];
    super(options.message ?? entry.message, { cause: options.cause });
    this.code = code;
    this.data = data;
    this.hint = options.hint ?? entry.hint;
    this.status = options.status ?? entry.status;
  }
}

/** The `validation` error for a value that belongs to no single field. */
export function invalid(message: string, hint?: string, cause?: unknown): SvcError {
  return validation({}, message, hint, cause);
}

/**
 * The `validation` error for one field of a request. `field` is the path of the field or the name of a header. The
 * message is `field: reason`.
 */
export function invalidField(
  field: string,
  reason: string,
  hint?: string,
  cause?: unknown,
): SvcError {
  return validation({ field }, `${field}: ${reason}`, hint, cause);
}

function validation(
  data: { readonly field?: string },
  message: string,
  hint: string | undefined,
  cause: unknown,
): SvcError {
  const known = hint === undefined ? {} : { hint };
  return new SvcError("validation", data, { message, cause, ...known });
}
