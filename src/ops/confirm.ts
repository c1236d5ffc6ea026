import { utf8InHeader } from "../base/header-text.ts";
import { SvcError } from "../contract/errors.ts";

/**
 * What cannot be taken back must be named by the caller, word for word (facts http-api 1.8). Names of actors and
 * projects may be in any script: then the header is UTF-8, of which the server shows each byte as a character.
 */
export function requireConfirm(header: string | undefined, expected: string): void {
  if (header === expected || header === utf8InHeader(expected)) return;
  const code = header === undefined || header === "" ? "confirm_required" : "confirm_mismatch";
  const hint = "send it as X-Svc-Confirm (--confirm)";
  throw new SvcError(code, { expected }, { message: `confirm with: ${expected}`, hint });
}
