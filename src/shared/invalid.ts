import { SvcError } from "../contract/errors.ts";

/** An invalid value, refused as the daemon would refuse it, before it is sent. */
export function invalid(message: string, hint?: string): SvcError {
  return new SvcError("validation", {}, hint === undefined ? { message } : { message, hint });
}
