import { utf8InHeader } from "../base/header-text.ts";
import { SvcError } from "../contract/errors.ts";

/**
 * Before something irreversible the caller must send its name in a header, word for word (facts http-api 1.8). A name
 * beyond Latin 1 is sent as UTF-8; Node reads headers as Latin 1, one character for each byte, so that form is accepted
 * too.
 */
export function requireConfirm(header: string | undefined, expected: string): void {
  if (header === expected || header === utf8InHeader(expected)) return;
  const code = header === undefined || header === "" ? "confirm_required" : "confirm_mismatch";
  const hint = "send it as X-Svc-Confirm (--confirm)";
  throw new SvcError(code, { expected }, { message: `confirm with: ${expected}`, hint });
}
