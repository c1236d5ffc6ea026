import { SvcError } from "../contract/errors.ts";

/** The error that the daemon would return for an invalid value, thrown before a request is sent. */
export function invalid(message: string, hint?: string): SvcError {
  return new SvcError("validation", {}, hint === undefined ? { message } : { message, hint });
}
