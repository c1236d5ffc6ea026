import { ERRORS, type ErrorCode } from "../contract/error-codes.ts";
import { SvcError } from "../contract/errors.ts";
import { ForeignError, type Refusal, UnavailableError } from "./answer-errors.ts";

/** Converts the daemon's refusal to an `SvcError`, or to a `ForeignError` if its code is unknown here. */
export function refusalIn(status: number, text: string): Error {
  const refusal = readRefusal(status, text);
  if (refusal === undefined)
    return new UnavailableError(`the daemon answered with status ${status} and no reason`);
  const { code, message, hint, data } = refusal;
  if (!isKnown(code) || ERRORS[code].status !== status) return new ForeignError(refusal);
  return new SvcError(code, data, hint === undefined ? { message } : { message, hint });
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

function readRefusal(status: number, text: string): Refusal | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Partial<Refusal> };
    if (typeof error?.code !== "string" || typeof error.message !== "string") return undefined;
    const { code, message, hint, data } = error;
    return {
      status,
      code,
      message,
      hint: typeof hint === "string" ? hint : undefined,
      data: data ?? {},
    };
  } catch {
    return undefined;
  }
}
