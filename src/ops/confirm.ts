import { utf8InHeader } from "../base/header-text.ts";
import { SvcError } from "../contract/errors.ts";

/**
 * Throws unless the header repeats the expected text, as irreversible actions require
 * (docs/contract/http-api.md#18-confirmation). Node reads headers as Latin 1, so a text sent as UTF-8 arrives as one
 * character per byte; that form is accepted too.
 */
export function requireConfirm(header: string | undefined, expected: string): void {
  if (header === expected || header === utf8InHeader(expected)) return;
  const code = header === undefined || header === "" ? "confirm_required" : "confirm_mismatch";
  const hint = "send it as X-Svc-Confirm (--confirm)";
  throw new SvcError(code, { expected }, { message: `confirm with: ${expected}`, hint });
}
