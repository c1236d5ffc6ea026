import { SvcError } from "../contract/errors.ts";

/** A value that no daemon would take, refused before it is sent and in the daemon's own way. */
export function invalid(message: string, hint?: string): SvcError {
  return new SvcError("validation", {}, hint === undefined ? { message } : { message, hint });
}
